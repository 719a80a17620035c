#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// The exponential function, written so that loops over it vectorise and every processor gives the same bits (that of
/// the C library differs between versions and machines).
///
///   x = k ln 2 + r with an integer k and |r| <= ln(2)/2;  exp(x) = 2^k exp(r), the latter by its Taylor polynomial
///
/// Degree 13 leaves a remainder below 1e-17; with rounding the relative error stays below 5e-16. Results that would be
/// subnormal (x < -708) are 0, and x > 709.7 gives infinity.
namespace bellwether {

inline double portable_exp(double x) {
  constexpr double lowest = -708.0;
  constexpr double highest = 709.7;
  constexpr double per_ln2 = 1.4426950408889634;
  // ln 2 in two pieces; the first has trailing zeros, so that k times it is exact.
  constexpr double ln2_high = 6.93147180369123816490e-01;
  constexpr double ln2_low = 1.90821492927058770002e-10;
  // Adding 1.5 * 2^52 rounds to an integer, which is then in the last bits.
  constexpr double round_to_integer = 6755399441055744.0;

  double inside = x < lowest ? lowest : x;
  inside = inside > highest ? highest : inside;
  const double shifted = inside * per_ln2 + round_to_integer;
  const double k = shifted - round_to_integer;
  const double r = (inside - k * ln2_high) - k * ln2_low;

  // 1 + (r + r^2 P(r)), the terms of P in pairs and pairs of pairs: several short chains of operations instead of a
  // long one.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p2 = 0.5 + r * (1.0 / 6);
  const double p4 = 1.0 / 24 + r * (1.0 / 120);
  const double p6 = 1.0 / 720 + r * (1.0 / 5040);
  const double p8 = 1.0 / 40320 + r * (1.0 / 362880);
  const double p10 = 1.0 / 3628800 + r * (1.0 / 39916800);
  const double p12 = 1.0 / 479001600 + r * (1.0 / 6227020800);
  const double P = (p2 + r2 * p4) + r4 * ((p6 + r2 * p8) + r4 * (p10 + r2 * p12));
  const double sum = 1 + (r + r2 * P);

  // Multiplies by 2^k: the last bits of `shifted` hold k, which is added to the exponent.
  const auto power = std::bit_cast<std::uint64_t>(shifted) << 52;
  auto result = std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + power);
  result = x < lowest ? 0.0 : result;
  result = x > highest ? __builtin_inf() : result;
  return x == x ? result : x;
}

namespace kernels {

/// y_j = exp(y_j)
void exp(double* y, std::size_t n);

}  // namespace kernels
}  // namespace bellwether
