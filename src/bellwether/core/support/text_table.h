#pragma once

#include <string>
#include <vector>

namespace bellwether {

/// A table of texts for terminals, with columns as wide as their widest cell.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool right = true;  // flush right, as numbers are
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

  /// The table with a line below the titles; ends in a newline.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace bellwether
