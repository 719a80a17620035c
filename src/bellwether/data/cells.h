#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/data/table.h>

/// Cells of tables that are text, from text to numbers.
namespace bellwether {

/// Without the spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// The number of a label: a whole number below 2^53, equal for equal texts and, but for one pair of texts in 10^16,
/// for these only.
double label_number(std::string_view text);

/// 1, 0, or NaN when the text is no flag.
double flag_number(std::string_view text);

/// A cell by its text, spaces around it aside, as the request wants it; throws InvalidArgument with file, row, column
/// and what is wrong. The way for every cell, but not the quickest for numbers.
double parse_cell(std::string_view text, const ColumnRequest& request, std::string_view file, std::uint64_t row);

/// The number of a cell, or an InvalidArgument as above when it is not finite or outside the range.
double checked_number(double value, std::string_view text, const ColumnRequest& request, std::string_view file,
                      std::uint64_t row);

/// The place of each request's column; throws InvalidArgument when there is none.
std::vector<std::size_t> places_of(const std::vector<ColumnRequest>& requests, std::string_view file,
                                   const std::vector<std::string>& columns);

/// Throws InvalidArgument when a name comes twice; columns without a name may be many.
void reject_repeated_columns(std::string_view file, const std::vector<std::string>& columns);

}  // namespace bellwether
