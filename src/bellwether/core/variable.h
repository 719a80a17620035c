#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bellwether {

/// One number of a state: its name, its range, and how it may be used.
struct Variable {
  std::string name;
  double low;
  double high;
  bool whole = false;   // takes whole values only
  bool wraps = false;   // high is the same as low, as with an angle
  bool hidden = false;  // part of the simulator's state that features may not use; hidden variables come last
};

/// The variables that features may use: all but the hidden ones.
std::vector<Variable> visible(std::vector<Variable> variables);

/// Finds the ranges of variables in data, for feature maps that need them.
///
///     RangeFinder ranges({"position", "velocity"});
///     for (...) ranges.add(state);
///     TileCoding map(ranges.variables(), {});
class RangeFinder {
 public:
  explicit RangeFinder(std::span<const std::string> names);

  /// Adds a state, one number for each name. Throws InvalidArgument when a number is not finite.
  void add(std::span<const double> state);

  /// The variables with the smallest and largest values seen; `whole` if every value was. A variable that never
  /// changed gets a range of length one around its value, so that maps can divide by it. Throws InvalidArgument when
  /// no state was added.
  std::vector<Variable> variables() const;

 private:
  std::vector<Variable> seen_;
  std::uint64_t states_ = 0;
};

}  // namespace bellwether
