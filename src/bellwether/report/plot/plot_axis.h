#pragma once

#include <span>
#include <string>
#include <vector>

#include <bellwether/study/figure.h>

namespace bellwether {

/// A value that an axis marks. Large and small ones are written as powers of ten: text "2·10", power "-5".
struct PlotTick {
  double value = 0;
  std::string text;   // empty: a short tick without a label
  std::string power;  // an exponent, which follows the text
};

/// An axis of a plot: its range and the values that are marked on it.
struct PlotAxis {
  Axis kind = Axis::linear;
  double low = 0;
  double high = 1;
  std::vector<PlotTick> ticks;

  /// Where a value is: 0 at the low end, 1 at the high end, less or more outside; -infinity for a value that has no
  /// logarithm on a logarithmic axis.
  double position(double value) const;
};

/// Axes with at most about `labels` labelled ticks, at round values. The range is widened when low is not less than
/// high, or when a logarithmic axis would not begin above zero.
PlotAxis linear_axis(double low, double high, std::size_t labels);
PlotAxis log_axis(double low, double high, std::size_t labels);

/// An axis of the values 0, 1, 2, ..., each labelled with its name.
PlotAxis named_axis(std::span<const std::string> names);

}  // namespace bellwether
