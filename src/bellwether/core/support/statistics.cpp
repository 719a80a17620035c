#include <bellwether/core/support/statistics.h>

#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>

namespace bellwether {

namespace {

/// Computed in double: with long double, Boost aborts at start-up under valgrind, which has no numbers of 80 bits.
using StudentsT =
    boost::math::students_t_distribution<double,
                                         boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

}  // namespace

double student_t_95(std::size_t degrees) {
  // The quantile takes microseconds, and the points of a curve all ask for the same one.
  thread_local std::size_t last_degrees = 0;
  thread_local double quantile = 0;
  if (degrees != last_degrees) {
    quantile = boost::math::quantile(StudentsT(static_cast<double>(degrees)), 0.975);
    last_degrees = degrees;
  }
  return quantile;
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
