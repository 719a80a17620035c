#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/table.h>

namespace bellwether {

/// A stream whose first rows can be inspected before they are read. They set the ranges of the variables, and are
/// learned from nevertheless.
class SampledTable final : public TableReader {
 public:
  /// Waits for the first `rows` rows, or for the end.
  SampledTable(std::unique_ptr<TableReader> table, std::vector<ColumnRequest> requests, std::size_t rows);

  /// The first rows.
  const TableBlock& sample() const { return sample_; }

  const std::string& name() const override { return table_->name(); }
  const std::vector<std::string>& columns() const override { return table_->columns(); }

  /// Columns were selected in the constructor; these must be the same.
  void select(std::vector<ColumnRequest> requests) override;
  bool read(TableBlock& block, std::size_t rows) override;
  std::optional<double> fraction() const override { return table_->fraction(); }
  std::uint64_t skipped() const override { return table_->skipped(); }
  std::string first_skipped() const override { return table_->first_skipped(); }

 private:
  std::unique_ptr<TableReader> table_;
  TableBlock sample_;
  std::size_t columns_;
  std::size_t given_ = 0;  // rows of the sample that have been returned
};

}  // namespace bellwether
