#pragma once

#include <span>
#include <string>
#include <vector>

#include <bellwether/core/state_sample.h>

namespace bellwether {

/// One number of a state: its name, its range, and how it may be used. Feature maps scale variables by their ranges, so
/// the units do not matter; a range that is much too wide wastes features, one too narrow lumps values together, as
/// those beyond it count as its end. Maps refuse a range that is empty or infinite.
struct Variable {
  std::string name;  // of the column, in logs
  double low;        // the smallest and the largest value
  double high;
  bool whole = false;   // takes whole values only
  bool wraps = false;   // high is the same as low, as with an angle
  bool hidden = false;  // part of the simulator's state that features may not use; hidden variables come last

  /// The texts that it stands for, where it is a category: a whole number k means categories[k], and one more number,
  /// high = categories.size(), means any other text. Such numbers have no order. Empty: it is a number.
  std::vector<std::string> categories = {};
};

/// The variables that features may use: all but the hidden ones.
std::vector<Variable> visible(std::vector<Variable> variables);

/// Finds the ranges of variables in data, for feature maps that need them. It keeps the extremes and a random sample of
/// up to 8192 states, not the data.
///
///     RangeFinder ranges(std::vector<std::string>{"position", "velocity"});
///     for (const std::vector<double>& state : states) ranges.add(state);
///     const auto map = make_features("tile_coding", ranges.variables());
///
/// `learn` does this by itself. One outlier stretches the range of `variables` for good; `usual_variables` leaves it
/// out.
class RangeFinder {
 public:
  explicit RangeFinder(std::span<const std::string> names);

  /// Adds a state, one number for each name. Throws InvalidArgument, and adds nothing, when a number is not finite.
  void add(std::span<const double> state);

  /// The variables with the smallest and largest values seen; `whole` if every value was. A variable that never
  /// changed gets a range of length one around its value, so that maps can divide by it. Throws InvalidArgument when
  /// no state was added.
  std::vector<Variable> variables() const;

  /// The same, but with the ranges that all values but outliers have: no further beyond the quantiles of 0.5 % and
  /// 99.5 % (of less than 400 states: beyond the two smallest and two largest) than these are apart. Where no value is
  /// further out, the range is that of `variables`. A range that was cut is not `whole`. Whole variables that take
  /// fewer than a thousand values keep theirs: they may be names of states.
  std::vector<Variable> usual_variables() const;

 private:
  std::vector<Variable> seen_;
  StateSample sample_;  // for quantiles
};

}  // namespace bellwether
