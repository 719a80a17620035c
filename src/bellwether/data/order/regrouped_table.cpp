#include <bellwether/data/order/regrouped_table.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bellwether {

RegroupedTable::RegroupedTable(std::unique_ptr<TableReader> table, const LogColumns& columns, std::size_t memory)
    : table_(std::move(table)), order_(columns), time_column_(columns.time), memory_(memory) {}

void RegroupedTable::select(std::vector<ColumnRequest> requests) {
  wanted_ = requests.size();
  requests.insert(requests.end(), order_.requests().begin(), order_.requests().end());
  table_->select(std::move(requests));
}

std::unique_ptr<RowSorter> RegroupedTable::make_sorter(std::vector<std::size_t> by) const {
  return std::make_unique<RowSorter>(first_cell + wanted_, std::move(by), memory_);
}

void RegroupedTable::gather() {
  sorter_ = make_sorter({Rank, Env, Episode, Run, Time, Number});
  constexpr std::size_t rows = 8192;
  std::vector<double> row(first_cell + wanted_);
  std::uint64_t number = 0;
  for (TableBlock block; table_->read(block, rows);) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (block.row[i] != number + 1) missing_.push_back(number + 1);
      number = block.row[i];
      const RowPlace place = order_.place(block[i] + wanted_);
      Known unknown{.rank = static_cast<double>(most_episodes_in_memory)};
      auto found = known_.find(place.key);
      const bool first = found == known_.end();
      if (first && known_.size() < most_episodes_in_memory) {
        found = known_.emplace(place.key, Known{.rank = static_cast<double>(known_.size())}).first;
      }
      Known& known = found == known_.end() ? unknown : found->second;
      if (first) known.first = place.time;
      else if (known.closed && place.time == known.first) ++known.run;
      else if (place.time < known.time) shuffled_ = true;
      known.time = place.time;
      known.closed = place.closed;
      row[Rank] = known.rank;
      row[Env] = place.key.first;
      row[Episode] = place.key.second;
      row[Run] = known.run;
      row[Time] = place.time;
      row[Number] = static_cast<double>(number);
      // NaN has no order, but these cells are not sorted by.
      std::copy_n(block[i], wanted_, row.begin() + first_cell);
      sorter_->add(row.data());
    }
  }
  decltype(known_)().swap(known_);  // gives the memory back
  sorter_->finish();
  if (shuffled_) sort_without_runs();
}

/// Where time goes backwards within an episode, rows after its end are not those of another one: the end itself is out
/// of place.
void RegroupedTable::sort_without_runs() {
  auto again = make_sorter({Rank, Env, Episode, Time, Number});
  while (const double* row = sorter_->next()) again->add(row);
  sorter_ = std::move(again);
  sorter_->finish();
}

void RegroupedTable::check_time(const double* row) {
  const bool same = !last_.empty() && order_.timed() && last_[Env] == row[Env] && last_[Episode] == row[Episode] &&
                    (shuffled_ || last_[Run] == row[Run]);
  if (same && last_[Time] == row[Time] && std::isfinite(row[Time])) {
    throw InvalidArgument(
        fmt::format("{}: rows {} and {} belong to one episode and have the same '{}', {}: their order is not known "
                    "(`episode=NAME` and `env=NAME` tell episodes apart, `time=NAME` is another column of time, and "
                    "with `time=none` rows are in the order of the file)",
                    name(), last_[Number], row[Number], time_column_, row[Time]));
  }
  last_.assign(row, row + first_cell);
}

bool RegroupedTable::read(TableBlock& block, std::size_t rows) {
  if (!sorter_) gather();
  block.clear(wanted_);
  while (block.rows < rows) {
    const double* const row = sorter_->next();
    if (row == nullptr) break;
    check_time(row);
    block.cells.insert(block.cells.end(), row + first_cell, row + first_cell + wanted_);
    block.row.push_back(static_cast<std::uint64_t>(row[Number]));
    ++block.rows;
    ++given_;
  }
  return block.rows > 0;
}

std::optional<double> RegroupedTable::fraction() const {
  if (!sorter_) return 0;
  return sorter_->rows() == 0 ? 1 : static_cast<double>(given_) / static_cast<double>(sorter_->rows());
}

bool RegroupedTable::rows_missing(std::uint64_t before, std::uint64_t after) const {
  const auto [low, high] = std::minmax(before, after);
  const auto first = std::upper_bound(missing_.begin(), missing_.end(), low);
  return first != missing_.end() && *first < high;
}

}  // namespace bellwether
