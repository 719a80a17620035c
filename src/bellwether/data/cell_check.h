#pragma once

#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Whether a column may hold numbers, one after another. Numbers are finite and in their range, flags are 0 or 1,
/// labels are finite; NaN is an empty cell, where there may be one.
class CellCheck {
 public:
  explicit CellCheck(const ColumnRequest& request)
      : flag_(request.kind == CellKind::flag),
        empty_(request.may_be_empty),
        range_(request.kind == CellKind::number ? request.range : finite) {}

  bool accepts(double value) const {
    if (flag_) return value == 0 || value == 1 || (empty_ && value != value);
    // Differences of finite numbers with themselves are 0.
    return (range_.contains(value) && value - value == 0) || (empty_ && value != value);
  }

  /// What is wrong with a value that is not accepted, at a `place`: "...: 'nan' is not finite", "... = 2 is outside
  /// [0, 1]", "...: '2' is neither 0 nor 1".
  std::string objection(const std::string& where, double value) const;

 private:
  bool flag_;
  bool empty_;
  Range range_;
};

}  // namespace bellwether
