#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/variable.h>
#include <bellwether/data/categories.h>
#include <bellwether/data/log/log_columns.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// What the columns of a state hold, as it is found while they are read for the first time: the ranges of numbers, and
/// the texts of categories.
class StateColumns {
 public:
  /// Looks at the first rows of a table, at most `rows`, for columns that hold text.
  StateColumns(const LogColumns& columns, TableReader& table, std::size_t rows);

  /// The cells of the state and of the next state; texts are noted as they are read.
  std::vector<ColumnRequest> requests() const;

  /// Adds rows that begin with these cells.
  void add(const TableBlock& rows);

  /// The variables, after all rows were added. `note` gets a sentence for each thing that a reader should know.
  /// `all_values`: outliers remain in the ranges, since features need every value.
  std::vector<Variable> variables(bool all_values, std::vector<std::string>& note) const;

  /// Whether some values were left out of the ranges. To be asked after `variables`.
  bool has_outliers() const { return has_outliers_; }

 private:
  LogColumns columns_;
  RangeFinder ranges_;
  std::vector<std::shared_ptr<Categories>> categories_;  // of each column of the state; null: it holds numbers
  mutable bool has_outliers_ = false;
};

}  // namespace bellwether
