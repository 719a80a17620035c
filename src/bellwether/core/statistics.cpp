#include <bellwether/core/statistics.h>

#include <cmath>
#include <limits>

namespace bellwether {

double student_t_95(std::size_t degrees) {
  // Cornish-Fisher expansion around the normal quantile (Abramowitz and Stegun 26.7.5); too coarse below three degrees.
  if (degrees == 1) return 12.7062;
  if (degrees == 2) return 4.30265;
  constexpr double z = 1.959963984540054;
  constexpr double z2 = z * z;
  const auto n = static_cast<double>(degrees);
  const double g1 = z * (z2 + 1) / 4;
  const double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

Estimate estimate(std::span<const double> sample) {
  const std::size_t n = sample.size();
  if (n == 0) return {};
  double mean = 0;
  for (const double v : sample) mean += v;
  mean /= static_cast<double>(n);
  if (n == 1) return {mean, std::numeric_limits<double>::infinity(), 1};
  double squares = 0;
  for (const double v : sample) squares += (v - mean) * (v - mean);
  const double variance = squares / static_cast<double>(n - 1);
  return {mean, student_t_95(n - 1) * std::sqrt(variance / static_cast<double>(n)), n};
}

}  // namespace bellwether
