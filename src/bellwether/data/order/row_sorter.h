#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bellwether {

/// Sorts rows of numbers by some of their cells, in bounded memory: an external merge sort. Rows are kept in memory as
/// long as they fit; otherwise sorted stretches of them go to a temporary file, which has no name and vanishes with the
/// program, and are merged when they are read.
///
///     RowSorter sorter(/*width=*/3, /*by=*/{2, 0}, /*memory=*/1 << 28);
///     sorter.add(row);                                     // any number of times
///     sorter.finish();
///     while (const double* row = sorter.next()) ...
///
/// No number may be NaN. Rows that are equal in all of these cells come in no particular order. Throws IoError when the
/// temporary file cannot be written.
class RowSorter {
 public:
  /// Rows have `width` cells and are sorted by the first of the cells `by`, then by the second, ... `memory` is in
  /// bytes.
  RowSorter(std::size_t width, std::vector<std::size_t> by, std::size_t memory);
  ~RowSorter();
  RowSorter(const RowSorter&) = delete;
  RowSorter& operator=(const RowSorter&) = delete;

  void add(const double* row);
  std::uint64_t rows() const { return rows_; }  // added

  /// Says that there are no more rows.
  void finish();

  /// The next row, which is valid until the next call; null after the last.
  const double* next();

 private:
  /// A sorted stretch of rows in the file, and the part of it that is in memory.
  struct Stretch {
    std::uint64_t first = 0, last = 0;  // rows of the file that have yet to be read into memory
    std::vector<double> cells;
    std::size_t at = 0;  // index of the current cell
  };

  bool less(const double* a, const double* b) const;
  void sort_memory();
  void spill();
  bool refill(Stretch& stretch) const;
  [[noreturn]] void fail() const;

  std::size_t width_;
  std::vector<std::size_t> by_;
  std::size_t most_rows_;  // in memory
  std::uint64_t rows_ = 0;
  std::vector<double> cells_;         // of the rows in memory
  std::vector<const double*> order_;  // those rows, sorted
  std::size_t given_ = 0;             // rows of `order_` that have been returned
  std::string path_;                  // of the file, for messages
  int file_ = -1;                     // -1: all rows are in memory
  std::uint64_t spilled_ = 0;         // rows in the file
  std::vector<Stretch> stretches_;    // of the file
  std::vector<std::size_t> heap_;     // stretches that have rows left, that with the smallest row first
  bool pending_ = false;              // the row at the front of the heap has been returned
};

}  // namespace bellwether
