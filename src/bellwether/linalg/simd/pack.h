#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#include <bellwether/linalg/simd/eight.h>

/// Eight learners side by side, for code that is written once for one number and for eight: a template over `Real`,
/// which is double or Pack. What is not an operator is at the end of this file for both.
///
/// A Pack lives as long as its learner, in memory and in registers, and is two vectors of four: GCC handles a vector
/// that is longer than the registers (Eight, before AVX-512) through memory and piece by piece, which took six times
/// as long with AVX2. With AVX-512 two of four are as fast as one of eight but for the shortest loops.
///
/// As a structure of two vectors it is handed over in memory, whatever the instruction set; its alignment is given
/// because that would be another for every one.
namespace bellwether {

using FourNumbers = double __attribute__((vector_size(32)));
using FourIntegers = long long __attribute__((vector_size(32)));

struct alignas(64) Pack {
  static constexpr std::size_t width = 8;
  FourNumbers a;
  FourNumbers b;

  BELLWETHER_INLINE double operator[](std::size_t lane) const { return lane < 4 ? a[lane] : b[lane - 4]; }
  BELLWETHER_INLINE void set(std::size_t lane, double value) { (lane < 4 ? a : b)[lane % 4] = value; }
  BELLWETHER_INLINE void store(double* p) const {
    std::memcpy(p, &a, sizeof a);
    std::memcpy(p + 4, &b, sizeof b);
  }
};

/// Eight answers, -1 or 0; also eight integers.
struct alignas(64) PackBools {
  FourIntegers a;
  FourIntegers b;

  static BELLWETHER_INLINE PackBools same(bool answer) {
    PackBools m{};
    return answer ? PackBools{~m.a, ~m.b} : m;
  }
  BELLWETHER_INLINE bool operator[](std::size_t lane) const { return (lane < 4 ? a[lane] : b[lane - 4]) != 0; }
  /// All of them, bit by bit.
  BELLWETHER_INLINE long long either() const {
    const FourIntegers four = a | b;
    return (four[0] | four[1]) | (four[2] | four[3]);
  }
};

BELLWETHER_INLINE Pack operator-(const Pack& x) { return {-x.a, -x.b}; }
BELLWETHER_INLINE Pack operator+(const Pack& x, const Pack& y) { return {x.a + y.a, x.b + y.b}; }
BELLWETHER_INLINE Pack operator-(const Pack& x, const Pack& y) { return {x.a - y.a, x.b - y.b}; }
BELLWETHER_INLINE Pack operator*(const Pack& x, const Pack& y) { return {x.a * y.a, x.b * y.b}; }
BELLWETHER_INLINE Pack operator/(const Pack& x, const Pack& y) { return {x.a / y.a, x.b / y.b}; }
BELLWETHER_INLINE Pack operator+(const Pack& x, double y) { return {x.a + y, x.b + y}; }
BELLWETHER_INLINE Pack operator-(const Pack& x, double y) { return {x.a - y, x.b - y}; }
BELLWETHER_INLINE Pack operator*(const Pack& x, double y) { return {x.a * y, x.b * y}; }
BELLWETHER_INLINE Pack operator/(const Pack& x, double y) { return {x.a / y, x.b / y}; }
BELLWETHER_INLINE Pack operator+(double x, const Pack& y) { return {x + y.a, x + y.b}; }
BELLWETHER_INLINE Pack operator-(double x, const Pack& y) { return {x - y.a, x - y.b}; }
BELLWETHER_INLINE Pack operator*(double x, const Pack& y) { return {x * y.a, x * y.b}; }
BELLWETHER_INLINE Pack operator/(double x, const Pack& y) { return {x / y.a, x / y.b}; }
template <class Y>
BELLWETHER_INLINE void operator+=(Pack& x, const Y& y) {
  x = x + y;
}
template <class Y>
BELLWETHER_INLINE void operator-=(Pack& x, const Y& y) {
  x = x - y;
}
template <class Y>
BELLWETHER_INLINE void operator*=(Pack& x, const Y& y) {
  x = x * y;
}
BELLWETHER_INLINE PackBools operator<(const Pack& x, double y) { return {x.a < y, x.b < y}; }
BELLWETHER_INLINE PackBools operator<=(const Pack& x, double y) { return {x.a <= y, x.b <= y}; }
BELLWETHER_INLINE PackBools operator<=(const Pack& x, const Pack& y) { return {x.a <= y.a, x.b <= y.b}; }
BELLWETHER_INLINE PackBools operator==(const Pack& x, double y) { return {x.a == y, x.b == y}; }
BELLWETHER_INLINE PackBools operator&(const PackBools& x, const PackBools& y) { return {x.a & y.a, x.b & y.b}; }
BELLWETHER_INLINE PackBools operator~(const PackBools& x) { return {~x.a, ~x.b}; }

/// a where m holds, otherwise b
BELLWETHER_INLINE Pack choose(const PackBools& m, const Pack& x, const Pack& y) {
  return {m.a ? x.a : y.a, m.b ? x.b : y.b};
}
BELLWETHER_INLINE double choose(bool m, double x, double y) { return m ? x : y; }

BELLWETHER_INLINE bool any(const PackBools& m) { return m.either() != 0; }
BELLWETHER_INLINE bool all(const PackBools& m) { return !any(~m); }
BELLWETHER_INLINE bool all(bool m) { return m; }

/// The bits as integers, which for numbers >= 0 have the order of the numbers; above infinity are those that are none.
/// Arithmetic with them is fast everywhere, comparisons are not.
BELLWETHER_INLINE PackBools bits(const Pack& x) {
  PackBools b;
  std::memcpy(&b.a, &x.a, sizeof b.a);
  std::memcpy(&b.b, &x.b, sizeof b.b);
  return b;
}

BELLWETHER_INLINE Pack magnitude(const Pack& x) {
  constexpr long long all_but_sign = 0x7fff'ffff'ffff'ffff;
  const PackBools b{bits(x).a & all_but_sign, bits(x).b & all_but_sign};
  Pack m;
  std::memcpy(&m.a, &b.a, sizeof m.a);
  std::memcpy(&m.b, &b.b, sizeof m.b);
  return m;
}
BELLWETHER_INLINE double magnitude(double x) { return std::abs(x); }

/// For x, y >= 0: whether x < y, or y is not a number, in any of the lanes asked for.
BELLWETHER_INLINE bool any_less(const Pack& x, const Pack& y, const PackBools& lanes) {
  return PackBools{(bits(x).a - bits(y).a) & lanes.a, (bits(x).b - bits(y).b) & lanes.b}.either() < 0;
}
BELLWETHER_INLINE bool any_less(const Pack& x, const Pack& y) { return any_less(x, y, PackBools::same(true)); }
BELLWETHER_INLINE bool any_less(double x, double y) { return x < y || std::isnan(y); }

/// A number, or eight times the same.
template <class Real>
BELLWETHER_INLINE Real same(double x) {
  if constexpr (requires(Real r) { r.a; }) return Real{} + x;
  else return x;
}

}  // namespace bellwether
