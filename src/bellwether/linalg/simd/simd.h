#pragma once

/// Marks a function to be compiled once per instruction set, the best one being chosen when the program is loaded. The
/// sanitizers' run-time is not up yet when that choice is made, so they get the portable version alone.
#if defined(__x86_64__) && defined(__linux__) && !defined(BELLWETHER_PORTABLE_KERNELS)
#define BELLWETHER_SIMD __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BELLWETHER_SIMD
#endif

/// The same for a function that leaves the work to templates: they are inlined, and so compiled with it. Clang does not
/// combine the two, and inlines what it likes.
#ifdef __clang__
#define BELLWETHER_SIMD_FLAT BELLWETHER_SIMD
#else
#define BELLWETHER_SIMD_FLAT BELLWETHER_SIMD __attribute__((flatten))
#endif
