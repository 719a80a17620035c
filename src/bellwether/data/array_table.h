#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/bad_cells.h>
#include <bellwether/data/cells.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// A table whose columns are columns of arrays of numbers: the base of readers of binary files. A reader adds its
/// arrays when it is constructed, and then supplies rows of the selected ones, array by array.
class ArrayTable : public TableReader {
 public:
  const std::string& name() const final { return name_; }
  const std::vector<std::string>& columns() const final { return columns_; }
  void select(std::vector<ColumnRequest> requests) final;
  bool read(TableBlock& block, std::size_t rows) final;
  std::uint64_t skipped() const final { return bad_.skipped(); }
  std::string first_skipped() const final { return bad_.first(); }

  /// The most columns that an array may have; the names of more would take too much memory.
  static constexpr std::size_t most_columns = 1 << 20;

 protected:
  ArrayTable(std::string name, const TableOptions& options) : name_(std::move(name)), bad_(options.bad_rows) {}

  /// Adds an array whose rows are one column of this name or, unless it is a scalar, columns `name.0`, `name.1`, ...
  void add_array(const std::string& array, bool scalar, std::size_t width);

  /// Adds an array whose columns have names of their own. Those that are not UTF-8 are taken for Latin-1, as in CSV.
  void add_array(const std::vector<std::string>& names);

  /// Adds an array that cannot be read: selecting `name` or `name.0`, ... is an error with this message.
  void add_unreadable(const std::string& array, std::string objection);

  /// Opens the selected arrays, given by their index in the order in which they were added.
  virtual void use(const std::vector<std::size_t>& arrays) = 0;

  /// Moves on to the next rows and returns how many there are, at most `most`; 0 at the end.
  virtual std::size_t advance(std::size_t most) = 0;

  /// Writes the current rows of one array. Returns how many of them, from the first on, it has; the cells of the others
  /// are empty, whether or not the request allows that.
  virtual std::size_t fetch(std::size_t array, double* to) = 0;

 private:
  struct Source {
    std::size_t array = 0;
    std::size_t offset = 0;
  };

  /// A selected column.
  struct Selected {
    ColumnRequest request;
    CellCheck check;
    Source source;
  };

  std::string name_;
  BadCells bad_;
  std::vector<std::string> columns_;
  std::vector<Source> sources_;      // of each column
  std::vector<std::size_t> widths_;  // of each array
  std::vector<std::pair<std::string, std::string>> unreadable_;
  std::vector<Selected> selected_;
  std::vector<std::size_t> used_;  // arrays
  std::size_t most_rows_ = 1;      // in a chunk
  std::vector<double> numbers_;    // of one array
  std::uint64_t rows_ = 0;         // read so far
};

}  // namespace bellwether
