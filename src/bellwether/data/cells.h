#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/table.h>

/// Conversion of cells from text to numbers.
namespace bellwether {

/// The text without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// The number that stands for a label: a whole number below 2^53. Equal texts have equal numbers; different texts have
/// different ones, apart from one pair in 10^16.
double label_number(std::string_view text);

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
