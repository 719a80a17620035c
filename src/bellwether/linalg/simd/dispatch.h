#pragma once

namespace bellwether {

/// Calls `f` in the version for the best instruction set that the processor has: everything it calls is inlined and
/// compiled once for each. This is for templates, which BELLWETHER_SIMD (simd.h) cannot mark; every version gives the
/// same bits.
#if defined(__x86_64__) && defined(__linux__) && !defined(BELLWETHER_PORTABLE_KERNELS)
inline bool has_avx512() { return __builtin_cpu_supports("avx512f"); }
template <class F>
__attribute__((target("avx512f"), flatten)) void call_with_avx512(const F& f) {
  f();
}
template <class F>
__attribute__((target("avx2"), flatten)) void call_with_avx2(const F& f) {
  f();
}
template <class F>
void with_best_instructions(const F& f) {
  if (has_avx512()) call_with_avx512(f);
  else if (__builtin_cpu_supports("avx2")) call_with_avx2(f);
  else f();  // as the compiler sees fit: inlining all of it takes the compiler longest, and for old processors only
}
#else
inline bool has_avx512() { return false; }
template <class F>
void call_with_avx512(const F& f) {
  f();
}
template <class F>
void with_best_instructions(const F& f) {
  f();
}
#endif

}  // namespace bellwether
