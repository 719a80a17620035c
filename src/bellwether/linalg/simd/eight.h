#pragma once

#include <cstddef>
#include <cstring>

/// Eight numbers at once, for loops that the compiler does not vectorise by itself: an AVX-512 register, two AVX ones,
/// four of SSE2. Used inside functions marked BELLWETHER_SIMD (linalg/simd/simd.h); every instruction set gives equal
/// bits.
namespace bellwether {

#define BELLWETHER_INLINE __attribute__((always_inline)) inline

/// In a structure because vectors as arguments have another calling convention for every instruction set.
struct Eight {
  static constexpr std::size_t width = 8;
  double __attribute__((vector_size(sizeof(double) * width))) v;

  static BELLWETHER_INLINE Eight load(const double* p) {
    Eight a;
    std::memcpy(&a.v, p, sizeof a.v);
    return a;
  }
  BELLWETHER_INLINE void store(double* p) const { std::memcpy(p, &v, sizeof v); }

  /// The first `count` of them alone; zeros stand for the others.
  static BELLWETHER_INLINE Eight load(const double* p, std::size_t count) {
    Eight a{};
    std::memcpy(&a.v, p, count * sizeof(double));
    return a;
  }
  BELLWETHER_INLINE void store(double* p, std::size_t count) const { std::memcpy(p, &v, count * sizeof(double)); }

  /// Their sum, added in a fixed order.
  BELLWETHER_INLINE double sum() const { return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])); }
};

/// Eight answers.
struct EightBools {
  long long __attribute__((vector_size(sizeof(long long) * Eight::width))) v;

  BELLWETHER_INLINE bool all() const {
    long long every = -1;
    for (std::size_t l = 0; l < Eight::width; ++l) every &= v[l];
    return every != 0;
  }
};

BELLWETHER_INLINE Eight operator-(const Eight& a) { return {-a.v}; }
BELLWETHER_INLINE Eight operator+(const Eight& a, const Eight& b) { return {a.v + b.v}; }
BELLWETHER_INLINE Eight operator-(const Eight& a, const Eight& b) { return {a.v - b.v}; }
BELLWETHER_INLINE Eight operator*(const Eight& a, const Eight& b) { return {a.v * b.v}; }
BELLWETHER_INLINE Eight operator/(const Eight& a, const Eight& b) { return {a.v / b.v}; }
BELLWETHER_INLINE void operator+=(Eight& a, const Eight& b) { a.v += b.v; }
BELLWETHER_INLINE Eight operator-(const Eight& a, double b) { return {a.v - b}; }
BELLWETHER_INLINE Eight operator/(const Eight& a, double b) { return {a.v / b}; }
BELLWETHER_INLINE Eight operator+(double a, const Eight& b) { return {a + b.v}; }
BELLWETHER_INLINE Eight operator-(double a, const Eight& b) { return {a - b.v}; }
BELLWETHER_INLINE Eight operator*(double a, const Eight& b) { return {a * b.v}; }
BELLWETHER_INLINE Eight operator/(double a, const Eight& b) { return {a / b.v}; }
BELLWETHER_INLINE EightBools operator<(const Eight& a, const Eight& b) { return {a.v < b.v}; }
BELLWETHER_INLINE EightBools operator<=(const Eight& a, const Eight& b) { return {a.v <= b.v}; }
BELLWETHER_INLINE EightBools operator<(const Eight& a, double b) { return {a.v < b}; }
BELLWETHER_INLINE EightBools operator&(const EightBools& a, const EightBools& b) { return {a.v & b.v}; }
BELLWETHER_INLINE EightBools operator|(const EightBools& a, const EightBools& b) { return {a.v | b.v}; }
BELLWETHER_INLINE EightBools operator~(const EightBools& a) { return {~a.v}; }

/// a where m holds, otherwise b
BELLWETHER_INLINE Eight choose(const EightBools& m, const Eight& a, const Eight& b) { return {m.v ? a.v : b.v}; }
BELLWETHER_INLINE Eight magnitude(const Eight& a) { return choose(a < 0, -a, a); }
/// Of a number below zero whatever the processor says.
BELLWETHER_INLINE Eight square_root(const Eight& a) {
  double roots[Eight::width];
  a.store(roots);
  for (double& root : roots) root = __builtin_sqrt(root);
  return Eight::load(roots);
}

/// `size` rounded up to a multiple of eight.
constexpr std::size_t padded(std::size_t size) { return (size + Eight::width - 1) / Eight::width * Eight::width; }

}  // namespace bellwether
