#include <bellwether/data/table_steps.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <bellwether/core/state.h>
#include <bellwether/data/categories.h>

namespace bellwether {
namespace {

constexpr double rounding = 1e-5;  // of numbers in logs, relative to the largest of their column

/// At most one row of features, as a RowBuffer writes it. It is looked at before a RowBuffer has it: views of one take
/// for granted that its arrays fit one another.
RowBuffer saved_row(StateReader& in, Layout layout, std::size_t dim) {
  std::size_t rows = 0;
  std::vector<double> values;
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> offsets;  // follow from the rest
  in(rows, values, indices, offsets);
  const std::size_t numbers = layout == Layout::dense ? dim : layout == Layout::sparse ? indices.size() : 0;
  in.require(rows <= 1 && values.size() == (rows == 0 ? 0 : numbers));
  RowBuffer row(layout, dim);
  if (rows == 0) return row;
  if (layout == Layout::dense) row.append(DenseView{values.data(), dim});
  else if (layout == Layout::sparse) row.append(SparseView{indices.data(), values.data(), indices.size()});
  else row.append(BinaryView{indices.data(), indices.size()});
  check_rows(row.view(), "a saved state");
  return row;
}

}  // namespace

std::vector<ColumnRequest> TableSteps::requests(const LogColumns& columns, const std::vector<Variable>& variables) {
  // The last observation of an episode may be a row of its own, in which everything else is empty.
  const bool partial = columns.next.empty();
  std::vector<ColumnRequest> all = state_requests(columns.state, variables);
  for (ColumnRequest& next : state_requests(columns.next, variables)) all.push_back(std::move(next));
  for (const std::string& name : columns.reward) all.push_back({.name = name, .may_be_empty = partial});
  for (const LogRole& role : log_roles) {
    const std::string& name = columns.*role.column;
    if (role.column == &LogColumns::time) continue;  // rows are in its order already
    if (!name.empty()) all.push_back({.name = name, .kind = role.kind, .range = role.range, .may_be_empty = partial});
  }
  return all;
}

TableSteps::TableSteps(std::unique_ptr<TableReader> table, LogColumns columns, std::shared_ptr<const FeatureMap> map,
                       BadRows bad_rows, std::vector<Variable> variables, bool keep_states, bool stream)
    : table_(std::move(table)),
      columns_(std::move(columns)),
      map_(std::move(map)),
      bad_rows_(bad_rows),
      skipped_(bad_rows),
      failure_(stream),
      here_(layout(), dim()),
      now_(here_),
      variables_(std::move(variables)),
      keep_states_(keep_states) {
  int next = static_cast<int>(columns_.state.size() + columns_.next.size() + columns_.reward.size());
  for (std::size_t i = 0; i < log_roles.size(); ++i) {
    const bool read = !(columns_.*log_roles[i].column).empty() && i != static_cast<std::size_t>(Role::time);
    cell_of_[i] = read ? next++ : -1;
  }
  table_->select(requests(columns_, variables_));
  cells_.rewards.resize(columns_.reward.size());
  wait_.rewards.resize(columns_.reward.size());
  last_.resize(columns_.state.size());
  largest_.resize(columns_.state.size());
}

/// Reads what a row says apart from the states. False for a row that holds nothing but an observation.
bool TableSteps::parse(const double* row, std::uint64_t number, Cells& cells) {
  const std::size_t first = columns_.state.size() + columns_.next.size();
  const std::size_t targets = columns_.reward.size();
  std::copy_n(row + first, targets, cells.rewards.begin());
  const auto empty = std::count_if(cells.rewards.begin(), cells.rewards.end(), [](double r) { return std::isnan(r); });
  const auto given = [&](Role role, double otherwise) { return has(role) ? row[cell_of(role)] : otherwise; };
  cells.env = given(Role::env, 0);
  cells.episode = given(Role::episode, 0);
  if (empty == static_cast<std::ptrdiff_t>(targets)) {
    for (const Role role :
         {Role::discount, Role::done, Role::terminated, Role::truncated, Role::rho, Role::target, Role::behaviour}) {
      if (has(role) && !std::isnan(row[cell_of(role)])) {
        throw InvalidArgument(location(table_->name(), number, columns_.reward[0]) +
                              ": is empty, but the row holds more than an observation");
      }
    }
    observed_ = true;
    return false;
  }
  for (std::size_t i = 0; i < targets; ++i) {
    if (std::isnan(cells.rewards[i])) {
      throw InvalidArgument(location(table_->name(), number, columns_.reward[i]) +
                            ": is empty, but other rewards are not");
    }
  }
  cells.discount = given(Role::discount, 1);
  const double truncated = given(Role::truncated, 0);
  const double terminated = given(Role::terminated, 0);
  const double done = given(Role::done, 0);
  cells.rho = given(Role::rho, 1);
  cells.pi = given(Role::target, 1);
  if (has(Role::behaviour)) cells.rho = cells.pi / row[cell_of(Role::behaviour)];
  cells.interest = given(Role::interest, 1);
  if (std::isnan(cells.discount + truncated + terminated + done + cells.rho + cells.pi + cells.interest)) {
    throw InvalidArgument(
        fmt::format("{}: row {} has a reward, but another of its cells is empty", table_->name(), number));
  }
  // Where nothing else tells ends, a row without a reward is the last of its episode.
  const bool goes_on = observed_ && has(Role::episode) && !has(Role::env) && !columns_.tells_ends();
  observed_ = false;
  if (goes_on && cells.same_episode(wait_)) {
    throw InvalidArgument(
        fmt::format("{}: row {} has no reward, but its episode goes on in row {}", table_->name(), last_row_, number));
  }
  cells.ended = terminated != 0 || cells.discount == 0 || (done != 0 && truncated == 0);
  cells.cut = !cells.ended && truncated != 0;
  if (cells.ended) cells.discount = 0;
  return true;
}

bool TableSteps::read(StepBlock& block, std::size_t steps) {
  block.clear(layout(), dim(), columns_.reward.size());
  return failure_.guard([&] { return read_steps(block, steps); }, [&] { return block.size() > 0; });
}

bool TableSteps::read_steps(StepBlock& block, std::size_t steps) {
  if (table_->read(rows_, steps)) {
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      row_ = rows_.row[i];
      bool step = false;
      if (!skipped_.accept([&] { step = parse(rows_[i], row_, cells_); })) {
        left_out_ = true;
        continue;
      }
      // Bad rows may have been left out.
      const bool gap = last_row_ > 0 && (left_out_ || (row_ != last_row_ + 1 && table_->rows_missing(last_row_, row_)));
      left_out_ = false;
      check_end(step);
      count_outside(rows_[i]);
      if (keep_states_) block.states.insert(block.states.end(), rows_[i], rows_[i] + columns_.state.size());
      if (columns_.next.empty()) take(rows_[i], step, gap, block);
      else take_with_next(rows_[i], gap, block);
      last_row_ = row_;
    }
    return true;
  }
  ended_ = true;
  if (!waiting_ || columns_.tells_ends() || columns_.episode.empty()) return false;
  waiting_ = false;
  wait_.discount = 0;
  deliver(wait_, here_, here_, wait_restart_, block);
  return true;
}

void TableSteps::count_outside(const double* state) {
  bool outside = false;
  constexpr double room = 0.1;  // of a range that comes from the first rows of a stream, others are a little outside
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    const double more = room * (v.high - v.low);
    if (state[i] >= v.low - more && state[i] <= v.high + more) continue;
    outside = true;
    if (first_outside_.empty()) {
      first_outside_ = fmt::format("{} is {}, beyond {:.6g} to {:.6g}", location(table_->name(), row_, v.name),
                                   state[i], v.low, v.high);
    }
  }
  outside_ += outside ? 1 : 0;
}

/// An episode has one end, and it is in its last row. A name that is used again has more than one.
void TableSteps::check_end(bool step) {
  if (!has(Role::episode) || bad_rows_ == BadRows::skip || columns_.unordered) return;
  if (last_row_ == 0 || !cells_.same_episode(wait_)) {
    reject_early_end();
    ends_ = 0;
  }
  if (!step) return;
  over_ = cells_.ended || cells_.cut;
  if (over_ && ends_++ == 0) end_row_ = row_;
}

void TableSteps::reject_early_end() const {
  if (ends_ != 1 || over_) return;
  throw InvalidArgument(fmt::format(
      "{}: row {} ends an episode, but row {} belongs to it, too, and comes later: the rows are not in "
      "order (`time=NAME` names the column of their order, and `env=NAME` tells environments apart that use "
      "the same names for episodes)",
      table_->name(), end_row_, last_row_));
}

void TableSteps::take(const double* row, bool step, bool gap, StepBlock& block) {
  const bool same = !gap && cells_.same_episode(wait_);
  if (!same && moment_.step > 0) ++moment_.episode;
  features_of(row, now_);
  Restart restart = gap && cells_.same_episode(wait_) ? Restart::jump : Restart::episode;
  if (waiting_) {
    const bool ends_here = !same && !gap && !columns_.tells_ends();
    if (ends_here) wait_.discount = 0;
    if (ends_here || (same && !(wait_.cut && step))) {
      deliver(wait_, here_, now_, wait_restart_, block);
      if (same && !wait_.cut) restart = Restart::none;
    } else {
      ++without_end_;
    }
    waiting_ = false;
  }
  wait_.env = cells_.env;
  wait_.episode = cells_.episode;
  if (!step) return;
  ++moment_.step;
  if (cells_.ended) {
    deliver(cells_, now_, now_, restart, block);
    ++moment_.episode;
    return;
  }
  waiting_ = true;
  wait_restart_ = restart;
  std::swap(wait_, cells_);
  std::swap(here_, now_);
}

/// Whether the last step led to this state, to five digits of the largest number in the column so far, since logs may
/// round their numbers.
bool TableSteps::leads_to(const double* state) {
  bool same = true;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    largest_[i] = std::max({largest_[i], std::abs(last_[i]), std::abs(state[i])});
    same = same && std::abs(last_[i] - state[i]) <= rounding * largest_[i];
  }
  return same;
}

/// How a row with a next state follows the row before. Names of episodes and flags say where episodes begin; without
/// them a jump in the state does. Where they say that none begins, a jump is a contradiction.
Restart TableSteps::how_it_follows(const double* row, bool gap) {
  const bool leads = leads_to(row);
  if (columns_.unordered) return Restart::jump;
  if (!open_) return Restart::none;
  if (!cells_.same_episode(wait_) || wait_.cut) return Restart::episode;
  if (gap) return Restart::jump;
  if (leads) return Restart::none;
  if (has(Role::episode) && bad_rows_ == BadRows::reject) reject_jump(row);
  const bool told = has(Role::done) || has(Role::terminated) || has(Role::truncated) || has(Role::episode);
  return told ? Restart::jump : Restart::episode;
}

void TableSteps::reject_jump(const double* row) const {
  std::size_t i = 0;
  while (i + 1 < last_.size() && std::abs(last_[i] - row[i]) <= rounding * largest_[i]) ++i;
  const auto text = [&](double value) {
    return variables_.empty() ? fmt::format("{}", value) : shown(variables_[i], value);
  };
  throw InvalidArgument(fmt::format(
      "{}: row {} follows row {} in its episode, but its '{}' is {}, and the '{}' of row {} is {}: the rows are not in "
      "order (`time=NAME` names the column of their order, `env=NAME` tells environments apart, and with `unordered` "
      "every row is a step on its own)",
      table_->name(), row_, last_row_, columns_.state[i], text(row[i]), columns_.next[i], last_row_, text(last_[i])));
}

void TableSteps::take_with_next(const double* row, bool gap, StepBlock& block) {
  const std::size_t n = columns_.state.size();
  const bool met = here_.rows() > 0 && std::equal(row, row + n, last_.begin());
  if (!met) features_of(row, here_);
  const Restart restart = how_it_follows(row, gap);
  wait_.env = cells_.env;
  wait_.episode = cells_.episode;
  wait_.cut = cells_.cut;
  ++moment_.step;
  if (cells_.ended) ++moment_.episode;
  features_of(row + n, now_);
  std::copy_n(row + n, n, last_.begin());
  deliver(cells_, here_, now_, restart, block);
  std::swap(here_, now_);
}

void TableSteps::deliver(const Cells& cells, const RowBuffer& x, const RowBuffer& x_next, Restart restart,
                         StepBlock& block) {
  block.x.append(x.view().row(0));
  block.x_next.append(x_next.view().row(0));
  for (std::size_t i = 0; i < cells.rewards.size(); ++i) block.rewards[i].push_back(cells.rewards[i]);
  block.discount.push_back(cells.discount);
  if (has(Role::rho) || has(Role::behaviour)) block.rho.push_back(cells.rho);
  if (has(Role::target)) block.pi.push_back(cells.pi);
  if (has(Role::interest)) block.interest.push_back(cells.interest);
  // After an end an episode begins anyway, unless rows are missing or nothing is known of the order.
  const bool matters = open_ || restart == Restart::jump;
  block.restart.push_back(matters ? static_cast<std::uint8_t>(restart) : 0);
  open_ = cells.discount > 0;
}

void TableSteps::features_of(const double* state, RowBuffer& rows) const {
  rows.clear();
  const std::span<const double> numbers(state, columns_.state.size());
  if (map_) map_->append(numbers, rows, moment_);
  else rows.append(DenseView{numbers.data(), numbers.size()});
}

template <class Self, class Visit>
void TableSteps::visit_state(Self& self, Visit&& visit) {
  visit(self.moment_.step, self.moment_.episode, self.open_, self.waiting_, self.wait_restart_, self.wait_);
  if constexpr (std::is_const_v<Self>) visit(self.here_);
  else self.here_ = saved_row(visit, self.layout(), self.dim());
  visit.sized(self.last_, self.largest_);
  visit(self.without_end_, self.ends_, self.end_row_, self.over_);
  visit.require(self.wait_restart_ <= Restart::jump && (!self.waiting_ || self.here_.rows() == 1));
}

void TableSteps::save(StateWriter& out) const { visit_state(*this, out); }

void TableSteps::load(StateReader& in) { visit_state(*this, in); }

}  // namespace bellwether
