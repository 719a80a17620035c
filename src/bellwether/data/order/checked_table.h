#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/data/late_failure.h>
#include <bellwether/data/order/row_order.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The rows of a stream, which must be in order, since they are used as they come. Throws InvalidArgument at the first
/// row that is not.
class CheckedTable final : public TableReader {
 public:
  CheckedTable(std::unique_ptr<TableReader> table, const LogColumns& columns)
      : table_(std::move(table)), check_(columns, /*exact=*/false) {}

  const std::string& name() const override { return table_->name(); }
  const std::vector<std::string>& columns() const override { return table_->columns(); }
  void select(std::vector<ColumnRequest> requests) override;
  bool read(TableBlock& block, std::size_t rows) override;
  std::optional<double> fraction() const override { return table_->fraction(); }
  std::uint64_t skipped() const override { return table_->skipped(); }
  std::string first_skipped() const override { return table_->first_skipped(); }

 private:
  bool read_rows(TableBlock& block, std::size_t rows);

  std::unique_ptr<TableReader> table_;
  LateFailure failure_;
  OrderCheck check_;
  std::size_t wanted_ = 0;  // cells that were asked for; those of the check follow
  TableBlock rows_;
};

}  // namespace bellwether
