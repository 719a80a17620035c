#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/table.h>

#include "support/data/files.h"
#include "support/rejection.h"

namespace bellwether::testing {

/// Requests for columns of numbers.
inline std::vector<ColumnRequest> requests_of(const std::vector<std::string>& columns) {
  std::vector<ColumnRequest> requests;
  for (const std::string& column : columns) requests.push_back({.name = column});
  return requests;
}

/// All rows of the selected columns, read a few at a time.
inline TableBlock read_all(TableReader& reader, std::size_t rows_at_once = 3) {
  TableBlock all, block;
  for (bool first = true; reader.read(block, rows_at_once); first = false) {
    EXPECT_LE(block.rows, rows_at_once);
    if (first) all.clear(block.columns);
    all.rows += block.rows;
    all.cells.insert(all.cells.end(), block.cells.begin(), block.cells.end());
    all.row.insert(all.row.end(), block.row.begin(), block.row.end());
  }
  return all;
}

/// All rows of these columns, as numbers.
inline TableBlock read_all(TableReader& reader, const std::vector<std::string>& columns) {
  reader.select(requests_of(columns));
  return read_all(reader);
}

/// Tests of a reader of text tables. `Derived` is the class derived from this one, which has a function
/// `make(lines, options)` that makes the reader.
template <class Derived>
class TextTableTest : public FileTest {
 protected:
  using FileTest::FileTest;

  auto reader(const std::string& text, const TableOptions& options = {}, std::size_t chunk = 64) {
    return Derived::make(Lines(write_file(file_, text), options, chunk), options);
  }

  /// The cells of one column, parsed as `request` says.
  std::vector<double> column(const std::string& text, const ColumnRequest& request, const TableOptions& options = {}) {
    auto table = reader(text, options);
    table.select({request});
    return read_all(table).cells;
  }

  /// What is wrong with a text, after the name of the file.
  std::string objection(const std::string& text, const ColumnRequest& request = {.name = "a"}) {
    const std::string message = rejection([&] { column(text, request); });
    EXPECT_EQ(message.substr(0, file_.size()), file_) << message;
    return message.substr(std::min(message.size(), file_.size()));
  }
};

}  // namespace bellwether::testing
