#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <bellwether/data/order/row_order.h>
#include <bellwether/data/order/row_sorter.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The rows of a table, those of an episode together and in the order of their time or, where there is no column of
/// time, of the table. Episodes come in the order of their first rows (the first million of them). Reads the whole
/// table before it returns a row; a stream must therefore end. Memory is bounded: rows that do not fit go to a
/// temporary file.
///
/// An environment or an episode whose name is used again, so that its time starts anew after its end, is another
/// episode. Throws InvalidArgument when two rows of an episode have the same time.
class RegroupedTable final : public TableReader {
 public:
  RegroupedTable(std::unique_ptr<TableReader> table, const LogColumns& columns, std::size_t memory);

  const std::string& name() const override { return table_->name(); }
  const std::vector<std::string>& columns() const override { return table_->columns(); }
  void select(std::vector<ColumnRequest> requests) override;
  bool read(TableBlock& block, std::size_t rows) override;
  std::optional<double> fraction() const override;
  std::uint64_t skipped() const override { return table_->skipped(); }
  std::string first_skipped() const override { return table_->first_skipped(); }
  bool rows_missing(std::uint64_t before, std::uint64_t after) const override;

 private:
  // Cells that stand before those of the table in the rows that are sorted.
  enum : std::size_t { Rank, Env, Episode, Run, Time, Number, first_cell };

  /// What is known of an episode while rows are gathered.
  struct Known {
    double rank = 0;             // how many episodes began before it
    double run = 0;              // how often its name was used again
    double first = 0, time = 0;  // of its first row since then, and of its last one
    bool closed = false;
  };

  void gather();
  void sort_without_runs();
  void check_time(const double* row);
  std::unique_ptr<RowSorter> make_sorter(std::vector<std::size_t> by) const;

  std::unique_ptr<TableReader> table_;
  OrderColumns order_;
  std::string time_column_;
  std::size_t memory_;
  std::size_t wanted_ = 0;  // cells that were asked for; those of `order_` follow
  std::unique_ptr<RowSorter> sorter_;
  std::unordered_map<EpisodeKey, Known, EpisodeKeyHash> known_;
  bool shuffled_ = false;               // time goes backwards within an episode
  std::vector<std::uint64_t> missing_;  // numbers of the first rows that were left out, in order
  std::uint64_t given_ = 0;             // rows returned
  std::vector<double> last_;            // the row before, up to `first_cell`
};

}  // namespace bellwether
