#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/table.h>

/// Cells of tables: their conversion from text to numbers, and what numbers they may hold.
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

/// The text without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// The number that stands for a label: a whole number below 2^53. Equal texts have equal numbers; different texts have
/// different ones, apart from one pair in 10^16.
double label_number(std::string_view text);

/// Keeps the text of a cell whose request is for CellKind::text, and returns its index.
double kept_text(std::string_view text, const ColumnRequest& request);

/// The seconds from 1970 to a date and time (CellKind::moment), or NaN when the text is neither.
double moment_number(std::string_view text);

/// The date and time so many seconds after 1970, to the microsecond: 2024-02-29T23:59:59.5. A number where the year
/// would not have four digits.
std::string moment_text(double seconds);

/// Whether a text, without spaces around it, stands for a value that is missing: it is empty, or one of the markers
/// that programs write, in small or capital letters: NA, N/A, #N/A, NaN, null, nil, <NA>, ?, - and, where no text is
/// expected, none. Labels are missing only when they are empty.
bool is_missing(std::string_view text, CellKind kind);

/// Whether a text, without spaces around it, is a number with this decimal mark. It need not be finite.
bool is_number(std::string_view text, char decimal);

/// The number of a cell that is not empty and whose request is for text: a flag, a label, a category or its form. NaN
/// for a text that is not a flag.
double text_number(std::string_view text, CellKind kind, Categories* categories, char decimal);

/// 1 or 0, or NaN when the text is not a flag.
double flag_number(std::string_view text);

/// The number of a cell, from its text without the spaces around it. Throws InvalidArgument with file, row, column and
/// what is wrong. Works for cells of every kind, but is not the fastest way for numbers.
double parse_cell(std::string_view text, const ColumnRequest& request, std::string_view file, std::uint64_t row);

/// Returns `value`; throws InvalidArgument as above when it is not finite or outside the range.
double checked_number(double value, std::string_view text, const ColumnRequest& request, std::string_view file,
                      std::uint64_t row);

/// The index of each request's column. Throws InvalidArgument when there is no such column.
std::vector<std::size_t> column_indices(const std::vector<ColumnRequest>& requests, std::string_view file,
                                        const std::vector<std::string>& columns);

/// Throws InvalidArgument when two columns have the same name. Any number of columns may have no name.
void reject_repeated_columns(std::string_view file, const std::vector<std::string>& columns);

}  // namespace bellwether
