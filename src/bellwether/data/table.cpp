#include <bellwether/data/table.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bellwether/core/params/params.h>
#include <bellwether/core/support/text.h>

namespace bellwether {

std::string listed(const std::vector<std::string>& columns) {
  constexpr std::size_t shown = 20;  // one or two lines of a terminal
  const auto last = columns.begin() + static_cast<std::ptrdiff_t>(std::min(columns.size(), shown));
  const std::string rest = columns.size() > shown ? fmt::format(" and {} more", columns.size() - shown) : "";
  return in_one_line(fmt::format("{}{}", fmt::join(columns.begin(), last, ", "), rest));
}

void reject_column(std::string_view file, std::string_view column, const std::vector<std::string>& columns) {
  throw InvalidArgument(fmt::format("{}: there is no column '{}'{} (columns: {})", file, in_one_line(column),
                                    in_one_line(suggestion(column, columns)), listed(columns)));
}

std::string location(std::string_view file, std::uint64_t row, std::string_view column) {
  return fmt::format("{}: row {}, column '{}'", file, row, in_one_line(column));
}

}  // namespace bellwether
