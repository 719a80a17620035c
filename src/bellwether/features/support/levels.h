#pragma once

#include <cstdint>
#include <string_view>

#include <bellwether/core/variable.h>

namespace bellwether {

/// Numbers the values of a variable that have no order, or whose order is not used, by whole numbers from 0 on. Of a
/// category and of a whole variable each known value has a number, and the last number stands for any other value. The
/// range of a variable can be cut into equal parts instead, of which the first and the last reach beyond it.
class Levels {
 public:
  /// Cuts the range of a variable that is not whole, or has more than 64 values, into so many `parts`. With 0 every
  /// value of a whole variable has its number. Throws InvalidArgument, beginning with `owner`, when a variable without
  /// parts is not whole or has more than a million values, and when one has no proper range.
  Levels(std::string_view owner, const Variable& variable, std::int64_t parts);

  /// How many numbers there are.
  std::uint64_t count() const { return count_; }

  std::uint64_t operator()(double value) const {
    const double u = (value - low_) * scale_;
    const auto last = static_cast<double>(count_ - 1);
    if (parts_) return u > 0 ? static_cast<std::uint64_t>(u < last ? u : last) : 0;
    const bool known = u >= 0 && u < last && u == static_cast<double>(static_cast<std::uint64_t>(u));
    return known ? static_cast<std::uint64_t>(u) : count_ - 1;
  }

 private:
  double low_;
  double scale_ = 1;
  bool parts_ = false;
  std::uint64_t count_ = 0;
};

}  // namespace bellwether
