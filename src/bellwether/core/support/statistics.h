#pragma once

#include <cstddef>
#include <span>

namespace bellwether {

/// A mean over runs and the half-width of its 95 % confidence interval.
struct Estimate {
  double mean = 0;
  double half_width = 0;  // infinite with a single run, which says nothing about the spread
  std::size_t runs = 0;
};

/// Student's t quantile for a two-sided 95 % interval with `degrees` >= 1 degrees of freedom.
double student_t_95(std::size_t degrees);

/// mean +- t_{.975, n-1} s / sqrt(n); all zero for no runs.
Estimate estimate(std::span<const double> sample);

}  // namespace bellwether
