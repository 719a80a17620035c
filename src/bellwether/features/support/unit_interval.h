#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <bellwether/core/variable.h>

namespace bellwether {

/// Throws InvalidArgument, beginning with `owner`, unless low < high and both are finite.
void check_range(std::string_view owner, const Variable& variable);

/// Scales a state to the unit interval, variable by variable:
///
///   u_i = (s_i - low_i) / (high_i - low_i)   within [0, 1]
///
/// Values beyond a range count as its end, and NaN as its lower end, so that the result is always finite.
class UnitInterval {
 public:
  /// Throws InvalidArgument, beginning with `owner`, when there is no variable or one without a proper range.
  UnitInterval(std::string_view owner, const std::vector<Variable>& variables);

  std::size_t size() const { return ranges_.size(); }

  double operator()(std::span<const double> state, std::size_t i) const {
    const double u = (state[i] - ranges_[i].low) / ranges_[i].length;
    return u > 0 ? (u < 1 ? u : 1) : 0;
  }

 private:
  struct Range {
    double low;
    double length;
  };
  std::vector<Range> ranges_;
};

}  // namespace bellwether
