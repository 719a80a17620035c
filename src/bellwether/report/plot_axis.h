#pragma once

#include <span>
#include <string>
#include <vector>

#include <bellwether/study/figure.h>

namespace bellwether {

/// A value that an axis marks. Powers of ten are written as such: text "2·10", power "-5".
struct PlotTick {
  double value = 0;
  std::string text;   // empty: a short line only
  std::string power;  // above the line, after the text
};

/// An axis of a plot: from `low` to `high`, with the values that are marked on it.
struct PlotAxis {
  Axis kind = Axis::linear;
  double low = 0;
  double high = 1;
  std::vector<PlotTick> ticks;

  /// Where a value is: 0 at the low end, 1 at the high end, outside of these beyond; -infinity for what a logarithm
  /// does not have.
  double place(double value) const;
};

/// Axes with at most about `labels` labelled ticks at round values. When low is not less than high, or a logarithmic
/// axis does not begin above zero, they are moved until it does.
PlotAxis linear_axis(double low, double high, std::size_t labels);
PlotAxis log_axis(double low, double high, std::size_t labels);

/// Values 0, 1, 2, ..., each with its name.
PlotAxis named_axis(std::span<const std::string> names);

/// Whether values are better compared by factors: all positive and more than a factor of 20 apart.
bool suits_log(std::span<const double> values);

}  // namespace bellwether
