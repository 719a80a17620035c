#include <bellwether/data/bad_cells.h>

#include <algorithm>

namespace bellwether {

void BadCells::sort() { std::sort(cells_.begin(), cells_.end()); }

/// Good rows move up.
void BadCells::remove_from(TableBlock& block) {
  const std::size_t columns = block.columns;
  std::size_t kept = cells_.front().first;
  auto bad = cells_.begin();
  for (std::size_t i = kept; i < block.rows; ++i) {
    const bool drop = bad != cells_.end() && bad->first == i;
    while (bad != cells_.end() && bad->first == i) ++bad;
    if (drop) continue;
    std::copy_n(block.cells.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                block.cells.begin() + static_cast<std::ptrdiff_t>(kept * columns));
    block.row[kept++] = block.row[i];
  }
  skipped_ += block.rows - kept;
  block.rows = kept;
  block.row.resize(kept);
  block.cells.resize(kept * columns);
  cells_.clear();
}

}  // namespace bellwether
