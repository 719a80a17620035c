#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/cell_check.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// A table whose columns are those of arrays of numbers: what the readers of binary files share. They add arrays when
/// they are made, and then hand out rows of those that are used, array by array.
class ArrayTable : public TableReader {
 public:
  const std::string& name() const final { return name_; }
  const std::vector<std::string>& columns() const final { return columns_; }
  void select(std::vector<ColumnRequest> requests) final;
  bool read(TableBlock& block, std::size_t rows) final;
  std::uint64_t skipped() const final { return skipped_; }
  std::string first_skipped() const final { return first_skipped_; }

  /// In a row of an array: the names of more columns than this are not worth their memory.
  static constexpr std::size_t most_columns = 1 << 20;

 protected:
  ArrayTable(std::string name, const TableOptions& options) : name_(std::move(name)), bad_rows_(options.bad_rows) {}

  /// An array whose row is one column of this name, or, unless it is a scalar, `name.0`, `name.1`, ...
  void add_array(const std::string& array, bool scalar, std::size_t width);

  /// An array whose columns have names of their own.
  void add_array(std::vector<std::string> names);

  /// Columns `name` and `name.0`, ... can not be read. To select one of them is an error of this message.
  void add_unreadable(const std::string& array, std::string objection);

  /// The arrays that were selected, numbered in the order in which they were added, are to be opened.
  virtual void use(const std::vector<std::size_t>& arrays) = 0;

  /// How many rows come next, at most `most`; 0 at the end.
  virtual std::size_t advance(std::size_t most) = 0;

  /// Writes the rows that `advance` has announced, of one array. Returns for how many of them, from the first on, there
  /// was something to write: the cells of the others are empty, whatever was asked for.
  virtual std::size_t fetch(std::size_t array, double* to) = 0;

 private:
  struct Source {
    std::size_t array = 0;
    std::size_t offset = 0;
  };

  /// A column that was selected.
  struct Selected {
    ColumnRequest request;
    CellCheck check;
    Source source;
  };

  void drop_bad_rows(TableBlock& block);

  std::string name_;
  BadRows bad_rows_;
  std::vector<std::string> columns_;
  std::vector<Source> sources_;      // of each column
  std::vector<std::size_t> widths_;  // of each array
  std::vector<std::pair<std::string, std::string>> unreadable_;
  std::vector<Selected> selected_;
  std::vector<std::size_t> used_;  // arrays
  std::size_t most_rows_ = 1;      // in a chunk
  std::vector<double> numbers_;    // of one array
  std::uint64_t rows_ = 0;         // read so far

  struct BadCell {
    std::size_t row;  // of the chunk that is being read
    std::size_t column;
    double value;
  };
  std::vector<BadCell> bad_;
  std::uint64_t skipped_ = 0;
  std::string first_skipped_;
};

}  // namespace bellwether
