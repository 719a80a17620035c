#pragma once

#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Checks the numbers of one column: numbers must be finite and in their range, flags 0 or 1, labels finite. NaN is an
/// empty cell, where the request allows one.
class CellCheck {
 public:
  explicit CellCheck(const ColumnRequest& request)
      : flag_(request.kind == CellKind::flag),
        empty_(request.may_be_empty),
        range_(request.kind == CellKind::number ? request.range : finite) {}

  bool accepts(double value) const {
    if (flag_) return value == 0 || value == 1 || (empty_ && value != value);
    // The difference of a finite number with itself is 0.
    return (range_.contains(value) && value - value == 0) || (empty_ && value != value);
  }

  /// Says what is wrong with a value that is not accepted, after its `location`: "...: 'nan' is not finite", "... = 2
  /// is outside [0, 1]", "...: '2' is neither 0 nor 1".
  std::string objection(const std::string& where, double value) const;

 private:
  bool flag_;
  bool empty_;
  Range range_;
};

}  // namespace bellwether
