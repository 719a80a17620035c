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
  bool wraps = false;   // high is low again, as with an angle
  bool hidden = false;  // part of the simulator's state that features may not look at; hidden variables come last
};

/// The variables that features may look at: all but the hidden ones.
std::vector<Variable> visible(std::vector<Variable> variables);

/// Finds the ranges of variables in data, for feature maps that need them.
///
///     RangeFinder ranges({"position", "velocity"});
///     for (...) ranges.add(state);
///     TileCoding map(ranges.variables(), {});
class RangeFinder {
 public:
  explicit RangeFinder(std::span<const std::string> names);

  /// Takes note of a state, one number for each name. Throws InvalidArgument when a number is not finite.
  void add(std::span<const double> state);

  /// The variables with the smallest and largest values met; `whole` where every value was. A variable that never
  /// changed gets a range of length one around its value, so that maps can divide by it. Throws InvalidArgument when
  /// there was no state.
  std::vector<Variable> variables() const;

 private:
  std::vector<Variable> seen_;
  std::uint64_t states_ = 0;
};

}  // namespace bellwether
