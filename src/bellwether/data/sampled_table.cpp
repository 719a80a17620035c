#include <bellwether/data/sampled_table.h>

#include <algorithm>
#include <cassert>

namespace bellwether {

SampledTable::SampledTable(std::unique_ptr<TableReader> table, std::vector<ColumnRequest> requests, std::size_t rows)
    : table_(std::move(table)), columns_(requests.size()) {
  sample_.clear(columns_);
  table_->select(std::move(requests));
  TableBlock block;
  while (sample_.rows < rows && table_->read(block, rows - sample_.rows)) {
    sample_.cells.insert(sample_.cells.end(), block.cells.begin(), block.cells.end());
    sample_.row.insert(sample_.row.end(), block.row.begin(), block.row.end());
    sample_.rows += block.rows;
  }
}

void SampledTable::select([[maybe_unused]] std::vector<ColumnRequest> requests) { assert(requests.size() == columns_); }

bool SampledTable::read(TableBlock& block, std::size_t rows) {
  const std::size_t count = std::min(rows, sample_.rows - given_);
  if (count == 0) return table_->read(block, rows);
  block.clear(columns_);
  const auto first = static_cast<std::ptrdiff_t>(given_);
  const auto last = static_cast<std::ptrdiff_t>(given_ + count);
  const auto width = static_cast<std::ptrdiff_t>(columns_);
  block.cells.assign(sample_.cells.begin() + first * width, sample_.cells.begin() + last * width);
  block.row.assign(sample_.row.begin() + first, sample_.row.begin() + last);
  block.rows = count;
  given_ += count;
  return true;
}

}  // namespace bellwether
