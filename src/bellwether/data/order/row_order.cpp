#include <bellwether/data/order/row_order.h>

#include <cmath>

namespace bellwether {

OrderColumns::OrderColumns(const LogColumns& columns) {
  cells_.fill(-1);
  const std::array<std::pair<Cell, Role>, 7> roles{{{Env, Role::env},
                                                    {Episode, Role::episode},
                                                    {Time, Role::time},
                                                    {Done, Role::done},
                                                    {Terminated, Role::terminated},
                                                    {Truncated, Role::truncated},
                                                    {Discount, Role::discount}}};
  for (const auto& [cell, which] : roles) {
    const LogRole& role = log_roles[static_cast<std::size_t>(which)];
    const std::string& name = columns.*role.column;
    if (name.empty()) continue;
    cells_[cell] = static_cast<int>(requests_.size());
    if (cell == Done || cell == Terminated || cell == Truncated) flags_.push_back(cells_[cell]);
    requests_.push_back({.name = name, .kind = role.kind, .range = role.range, .may_be_empty = columns.next.empty()});
  }
  tell_ = !columns.unordered && (cell(Env) >= 0 || cell(Episode) >= 0 || cell(Time) >= 0);
}

RowPlace OrderColumns::place(const double* cells) const {
  const auto given = [&](Cell which) { return cell(which) < 0 ? 0 : cells[cell(which)]; };
  const auto name = [&](Cell which) { return std::isnan(given(which)) ? -1 : given(which); };
  RowPlace place{.key = {name(Env), name(Episode)}, .time = given(Time)};
  if (std::isnan(place.time)) place.time = infinity;
  // A row without flags in a log that has them holds the last observation of its episode; NaN is not 0 either.
  for (const int flag : flags_) place.closed = place.closed || cells[flag] != 0;
  if (cell(Discount) >= 0) place.closed = place.closed || !(cells[cell(Discount)] > 0);
  return place;
}

OrderCheck::OrderCheck(const LogColumns& columns, bool exact, std::size_t most_open)
    : columns_(columns), most_open_(most_open) {
  constexpr std::size_t memory = std::size_t{16} << 20U;
  if (exact) stretches_ = std::make_unique<RowSorter>(6, std::vector<std::size_t>{0, 1, 2}, memory);
}

/// Notes that rows of another episode follow the last row.
void OrderCheck::end_stretch() {
  if (stretches_) {
    const std::array<double, 6> row{last_.key.first,          last_.key.second, static_cast<double>(stretches_->rows()),
                                    last_.closed ? 1.0 : 0.0, first_time_,      last_.time};
    stretches_->add(row.data());
  }
  if (last_.closed) return;
  if (open_.size() >= most_open_) open_.clear();
  open_.insert(last_.key);
}

bool OrderCheck::add(const double* cells) {
  if (!columns_.tell() || !ordered_) return ordered_;
  const RowPlace place = columns_.place(cells);
  if (begun_ && place.key == last_.key) {
    // Time that starts anew after an end is that of another episode with the same name.
    const bool anew = last_.closed && place.time == first_time_;
    ordered_ = anew || !(place.time < last_.time);
  } else {
    if (begun_) end_stretch();
    first_time_ = place.time;
    ordered_ = open_.empty() || !open_.contains(place.key);
  }
  begun_ = true;
  last_ = place;
  return ordered_;
}

bool OrderCheck::finish() {
  if (!ordered_ || !begun_ || !stretches_) return ordered_;
  end_stretch();
  stretches_->finish();
  EpisodeKey before;
  bool open = false;
  double first = 0;
  double last = -infinity;
  while (const double* row = stretches_->next()) {
    const EpisodeKey key{row[0], row[1]};
    const bool backwards = row[4] < last && row[4] != first;
    ordered_ = ordered_ && !(key == before && (open || backwards));
    before = key;
    open = row[3] == 0;
    first = row[4];
    last = row[5];
  }
  return ordered_;
}

bool rows_in_order(TableReader& table, const LogColumns& columns) {
  OrderCheck check(columns, /*exact=*/true);
  if (!check.columns().tell()) return true;
  table.select(check.columns().requests());
  constexpr std::size_t rows = 8192;
  for (TableBlock block; table.read(block, rows);) {
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (!check.add(block[i])) return false;
    }
  }
  return check.finish();
}

}  // namespace bellwether
