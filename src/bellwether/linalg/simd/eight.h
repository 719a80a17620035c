#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

/// Eight numbers at once, for loops that the compiler does not vectorise by itself and for eight learners side by side.
///
/// Code that is written once for one number and for eight is a template over `Real`, which is double or Eight; the
/// functions at the end of this file exist for both. Functions that use Eight in a loop are marked BELLWETHER_SIMD
/// (linalg/simd/simd.h). Every instruction set gives equal bits.
///
/// An Eight is two vectors of four. GCC handles a vector that is longer than the registers piece by piece and through
/// memory, which with AVX2 took up to ten times as long; with AVX-512 two of four take 8 % more time than one of eight.
/// A structure of two vectors is passed in memory whatever the instruction set, so calls between functions compiled for
/// different ones agree; its alignment is fixed for the same reason.
namespace bellwether {

#define BELLWETHER_INLINE __attribute__((always_inline)) inline

using Four = double __attribute__((vector_size(32)));
using FourIntegers = long long __attribute__((vector_size(32)));

struct alignas(64) Eight {
  static constexpr std::size_t width = 8;
  Four a;
  Four b;

  static BELLWETHER_INLINE Eight load(const double* p) {
    Eight x;
    std::memcpy(&x.a, p, sizeof x.a);
    std::memcpy(&x.b, p + 4, sizeof x.b);
    return x;
  }
  BELLWETHER_INLINE void store(double* p) const {
    std::memcpy(p, &a, sizeof a);
    std::memcpy(p + 4, &b, sizeof b);
  }

  /// Loads or stores the first `count` numbers only; `load` sets the others to zero.
  static BELLWETHER_INLINE Eight load(const double* p, std::size_t count) {
    if (count == width) return load(p);
    double numbers[width] = {};
    std::memcpy(numbers, p, count * sizeof(double));
    return load(numbers);
  }
  BELLWETHER_INLINE void store(double* p, std::size_t count) const {
    if (count == width) return store(p);
    double numbers[width];
    store(numbers);
    std::memcpy(p, numbers, count * sizeof(double));
  }

  BELLWETHER_INLINE double operator[](std::size_t lane) const { return lane < 4 ? a[lane] : b[lane - 4]; }

  /// Through an array: GCC 12 miscompiles an assignment to `(lane < 4 ? a : b)[lane % 4]` under the sanitizers.
  BELLWETHER_INLINE void set(std::size_t lane, double value) {
    double numbers[width];
    store(numbers);
    numbers[lane] = value;
    *this = load(numbers);
  }

  /// The sum of the eight, added in a fixed order: ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)).
  BELLWETHER_INLINE double sum() const {
    const Four four = a + b;
    return (four[0] + four[2]) + (four[1] + four[3]);
  }
};

/// The answers of eight comparisons, -1 or 0 each; also eight integers.
struct alignas(64) EightBools {
  FourIntegers a;
  FourIntegers b;

  static BELLWETHER_INLINE EightBools same(bool answer) {
    EightBools m{};
    return answer ? EightBools{~m.a, ~m.b} : m;
  }
  BELLWETHER_INLINE bool operator[](std::size_t lane) const { return (lane < 4 ? a[lane] : b[lane - 4]) != 0; }

  /// The bitwise or of the eight integers.
  BELLWETHER_INLINE long long either() const {
    const FourIntegers four = a | b;
    return (four[0] | four[1]) | (four[2] | four[3]);
  }
};

BELLWETHER_INLINE Eight operator-(const Eight& x) { return {-x.a, -x.b}; }
BELLWETHER_INLINE Eight operator+(const Eight& x, const Eight& y) { return {x.a + y.a, x.b + y.b}; }
BELLWETHER_INLINE Eight operator-(const Eight& x, const Eight& y) { return {x.a - y.a, x.b - y.b}; }
BELLWETHER_INLINE Eight operator*(const Eight& x, const Eight& y) { return {x.a * y.a, x.b * y.b}; }
BELLWETHER_INLINE Eight operator/(const Eight& x, const Eight& y) { return {x.a / y.a, x.b / y.b}; }
BELLWETHER_INLINE Eight operator+(const Eight& x, double y) { return {x.a + y, x.b + y}; }
BELLWETHER_INLINE Eight operator-(const Eight& x, double y) { return {x.a - y, x.b - y}; }
BELLWETHER_INLINE Eight operator*(const Eight& x, double y) { return {x.a * y, x.b * y}; }
BELLWETHER_INLINE Eight operator/(const Eight& x, double y) { return {x.a / y, x.b / y}; }
BELLWETHER_INLINE Eight operator+(double x, const Eight& y) { return {x + y.a, x + y.b}; }
BELLWETHER_INLINE Eight operator-(double x, const Eight& y) { return {x - y.a, x - y.b}; }
BELLWETHER_INLINE Eight operator*(double x, const Eight& y) { return {x * y.a, x * y.b}; }
BELLWETHER_INLINE Eight operator/(double x, const Eight& y) { return {x / y.a, x / y.b}; }
template <class Y>
BELLWETHER_INLINE void operator+=(Eight& x, const Y& y) {
  x = x + y;
}
template <class Y>
BELLWETHER_INLINE void operator-=(Eight& x, const Y& y) {
  x = x - y;
}
template <class Y>
BELLWETHER_INLINE void operator*=(Eight& x, const Y& y) {
  x = x * y;
}
BELLWETHER_INLINE EightBools operator<(const Eight& x, const Eight& y) { return {x.a < y.a, x.b < y.b}; }
BELLWETHER_INLINE EightBools operator<=(const Eight& x, const Eight& y) { return {x.a <= y.a, x.b <= y.b}; }
BELLWETHER_INLINE EightBools operator<(const Eight& x, double y) { return {x.a < y, x.b < y}; }
BELLWETHER_INLINE EightBools operator<=(const Eight& x, double y) { return {x.a <= y, x.b <= y}; }
BELLWETHER_INLINE EightBools operator==(const Eight& x, double y) { return {x.a == y, x.b == y}; }
BELLWETHER_INLINE EightBools operator&(const EightBools& x, const EightBools& y) { return {x.a & y.a, x.b & y.b}; }
BELLWETHER_INLINE EightBools operator|(const EightBools& x, const EightBools& y) { return {x.a | y.a, x.b | y.b}; }
BELLWETHER_INLINE EightBools operator~(const EightBools& x) { return {~x.a, ~x.b}; }

BELLWETHER_INLINE bool any(const EightBools& m) { return m.either() != 0; }
BELLWETHER_INLINE bool all(const EightBools& m) { return !any(~m); }
BELLWETHER_INLINE bool all(bool m) { return m; }

/// x where m holds, otherwise y.
BELLWETHER_INLINE Eight choose(const EightBools& m, const Eight& x, const Eight& y) {
  return {m.a ? x.a : y.a, m.b ? x.b : y.b};
}
BELLWETHER_INLINE double choose(bool m, double x, double y) { return m ? x : y; }

/// The bits as integers. For numbers >= 0 they have the order of the numbers, with NaN above infinity. Arithmetic with
/// integers is fast on every processor; comparisons of them are not.
BELLWETHER_INLINE EightBools bits(const Eight& x) {
  EightBools b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

/// |x|
BELLWETHER_INLINE Eight magnitude(const Eight& x) {
  constexpr long long all_but_sign = 0x7fff'ffff'ffff'ffff;
  const EightBools b{bits(x).a & all_but_sign, bits(x).b & all_but_sign};
  Eight m;
  std::memcpy(&m, &b, sizeof m);
  return m;
}
BELLWETHER_INLINE double magnitude(double x) { return std::abs(x); }

/// For x, y >= 0: whether x < y, or y is NaN, in any of the given lanes.
BELLWETHER_INLINE bool any_less(const Eight& x, const Eight& y, const EightBools& lanes) {
  return EightBools{(bits(x).a - bits(y).a) & lanes.a, (bits(x).b - bits(y).b) & lanes.b}.either() < 0;
}
BELLWETHER_INLINE bool any_less(const Eight& x, const Eight& y) { return any_less(x, y, EightBools::same(true)); }
BELLWETHER_INLINE bool any_less(double x, double y) { return x < y || std::isnan(y); }

/// The square roots; NaN for numbers below zero.
BELLWETHER_INLINE Eight square_root(const Eight& x) {
  double roots[Eight::width];
  x.store(roots);
  for (double& root : roots) root = __builtin_sqrt(root);
  return Eight::load(roots);
}

/// x, or eight times x.
template <class Real>
BELLWETHER_INLINE Real same(double x) {
  if constexpr (std::is_same_v<Real, Eight>) return Eight{} + x;
  else return x;
}

/// `size` rounded up to a multiple of eight.
constexpr std::size_t padded(std::size_t size) { return (size + Eight::width - 1) / Eight::width * Eight::width; }

}  // namespace bellwether
