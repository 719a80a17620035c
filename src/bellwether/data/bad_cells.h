#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// Deals with bad cells of a block that is filled column by column: rejects the file for the first of them, or leaves
/// their rows out and counts these.
class BadCells {
 public:
  explicit BadCells(BadRows bad_rows) : bad_rows_(bad_rows) {}

  /// Notes a bad cell, given by its row and column in the block.
  void add(std::size_t row, std::size_t column) { cells_.emplace_back(row, column); }

  /// Removes the rows with bad cells from the block, or throws BadRow. What is wrong with the first, in the order of
  /// the rows and then of the columns, is what `objection(row, column)` says.
  template <class F>
  void drop_rows(TableBlock& block, F&& objection) {
    if (cells_.empty()) return;
    sort();
    if (first_.empty()) first_ = objection(cells_.front().first, cells_.front().second);
    if (bad_rows_ == BadRows::reject) throw BadRow(first_);
    remove_from(block);
  }

  std::uint64_t skipped() const { return skipped_; }
  const std::string& first() const { return first_; }

 private:
  void sort();
  void remove_from(TableBlock& block);

  BadRows bad_rows_;
  std::vector<std::pair<std::size_t, std::size_t>> cells_;  // row and column
  std::uint64_t skipped_ = 0;
  std::string first_;
};

}  // namespace bellwether
