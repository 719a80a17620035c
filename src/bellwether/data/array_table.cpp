#include <bellwether/data/array_table.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/bytes/text_filter.h>

namespace bellwether {

namespace {

constexpr std::size_t chunk_numbers = 1 << 16;  // half a megabyte, which fits into the cache

}  // namespace

void ArrayTable::add_array(const std::string& array, bool scalar, std::size_t width) {
  if (scalar) return add_array({array});
  assert(width <= most_columns);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < width; ++i) names.push_back(fmt::format("{}.{}", array, i));
  add_array(names);
}

void ArrayTable::add_array(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns_.push_back(as_utf8(names[i]));
    sources_.push_back({widths_.size(), i});
  }
  widths_.push_back(names.size());
}

void ArrayTable::add_unreadable(const std::string& array, std::string objection) {
  unreadable_.emplace_back(as_utf8(array), std::move(objection));
}

void ArrayTable::select(std::vector<ColumnRequest> requests) {
  std::unordered_map<std::string_view, std::size_t> indices;
  for (std::size_t i = 0; i < columns_.size(); ++i) indices.emplace(columns_[i], i);
  selected_.clear();
  for (ColumnRequest& request : requests) {
    const auto found = indices.find(request.name);
    if (found == indices.end()) {
      for (const auto& [array, objection] : unreadable_) {
        if (request.name == array || request.name.starts_with(array + ".")) throw InvalidArgument(objection);
      }
      reject_column(name_, request.name, columns_);
    }
    if (request.kind == CellKind::category) {
      throw InvalidArgument(
          fmt::format("{}: column '{}' holds numbers; it was text in the data before", name_, request.name));
    }
    const CellCheck check(request);
    selected_.push_back({std::move(request), check, sources_[found->second]});
  }
  used_.clear();
  for (const Selected& column : selected_) used_.push_back(column.source.array);
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  std::size_t widest = std::max<std::size_t>(1, selected_.size());
  for (const std::size_t array : used_) widest = std::max(widest, widths_[array]);
  most_rows_ = std::max<std::size_t>(1, chunk_numbers / widest);
  use(used_);
}

bool ArrayTable::read(TableBlock& block, std::size_t rows) {
  block.clear(selected_.size());
  while (block.rows < rows) {
    const std::size_t n = advance(std::min(rows - block.rows, most_rows_));
    if (n == 0) break;
    const std::size_t columns = selected_.size();
    const std::size_t first = block.rows;
    const std::size_t before = block.cells.size();
    block.cells.resize(before + n * columns);
    for (const std::size_t array : used_) {
      const std::size_t width = widths_[array];
      numbers_.resize(n * width);
      const std::size_t there = fetch(array, numbers_.data());
      assert(there <= n);
      for (std::size_t c = 0; c < columns; ++c) {
        const Selected& column = selected_[c];
        if (column.source.array != array) continue;
        const double* from = numbers_.data() + column.source.offset;
        double* to = block.cells.data() + before + c;
        for (std::size_t i = 0; i < there; ++i, from += width, to += columns) {
          *to = *from;
          if (!column.check.accepts(*from)) bad_.add(first + i, c);
          else if (column.request.texts && !std::isnan(*from))
            *to = kept_text(fmt::format("{}", *from), column.request);
        }
        for (std::size_t i = there; i < n; ++i, to += columns) *to = std::numeric_limits<double>::quiet_NaN();
      }
    }
    for (std::size_t i = 0; i < n; ++i) block.row.push_back(rows_ + i + 1);
    block.rows += n;
    bad_.drop_rows(block, [&](std::size_t row, std::size_t c) {
      const Selected& column = selected_[c];
      return column.check.objection(location(name_, block.row[row], column.request.name), block[row][c]);
    });
    rows_ += n;
  }
  return block.rows > 0;
}

}  // namespace bellwether
