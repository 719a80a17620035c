#pragma once

/// Compiles a function once per instruction set; the best version is chosen when the program is loaded. The run-time of
/// the sanitizers has not started when that choice is made, so with them only the portable version is compiled.
#if defined(__x86_64__) && defined(__linux__) && !defined(BELLWETHER_PORTABLE_KERNELS)
#define BELLWETHER_SIMD __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BELLWETHER_SIMD
#endif

/// The same for a function that calls templates, which are inlined and so compiled with it. Clang cannot combine the
/// two attributes and decides itself what to inline.
#ifdef __clang__
#define BELLWETHER_SIMD_FLAT BELLWETHER_SIMD
#else
#define BELLWETHER_SIMD_FLAT BELLWETHER_SIMD __attribute__((flatten))
#endif
