#pragma once

#include <cstddef>
#include <span>

namespace bellwether {

/// A mean over runs and the half-width of its 95 % confidence interval: if the runs are independent and their results
/// nearly normal, mean +- half_width contains the expected result in 95 of 100 repetitions.
struct Estimate {
  double mean = 0;        // in the unit of the sample
  double half_width = 0;  // infinite with a single run, which says nothing about the spread
  std::size_t runs = 0;   // n; 0: there is nothing to say, and mean and half_width are 0
};

/// Student's t quantile for a two-sided 95 % interval with `degrees` >= 1 degrees of freedom: 12.7 for 1, 2.09 for 19,
/// 1.96 for many. It is what makes intervals from few runs wide enough.
double student_t_95(std::size_t degrees);

/// The estimate from a sample: mean +- t_{.975, n-1} s / sqrt(n), where s^2 = sum (v - mean)^2 / (n - 1). All zero for
/// no runs. NaN in the sample makes both numbers NaN.
Estimate estimate(std::span<const double> sample);

}  // namespace bellwether
