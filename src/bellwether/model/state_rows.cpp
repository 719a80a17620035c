#include <bellwether/model/state_rows.h>

#include <cmath>

#include <fmt/format.h>

#include <bellwether/data/categories.h>
#include <bellwether/data/log/log_file.h>
#include <bellwether/data/skipped_rows.h>

namespace bellwether {

StateRows::StateRows(const Model& model, const LogSource& source, const TableOptions& options,
                     const std::vector<std::string>& keep)
    : map_(model.shared_map()),
      texts_(std::make_shared<std::vector<std::string>>()),
      rows_(model.recipe().layout, model.recipe().dim) {
  const Recipe& recipe = model.recipe();
  LogFile file(source, options);
  if (recipe.columns.state.empty() && file.holds_steps()) {
    if (!keep.empty()) {
      throw InvalidArgument(
          fmt::format("{}: holds features, not a table: there is no column '{}' to keep", source.name, keep.front()));
    }
    steps_ = file.steps(recipe.dim);
    check_features(*steps_, recipe.layout, recipe.dim);
    return;
  }
  table_ = file.table();
  std::vector<std::string> names = recipe.columns.state;
  if (names.empty()) names = group_of("x", table_->columns());
  if (recipe.features == "none" && names.size() != recipe.dim) {
    throw InvalidArgument(fmt::format("{}: has {} features, the model {}", source.name, names.size(), recipe.dim));
  }
  check_group(names, table_->columns(), table_->name());
  std::vector<ColumnRequest> wanted = state_requests(names, recipe.variables);
  variables_ = wanted.size();
  for (const std::string& name : keep) {
    wanted.push_back({.name = name, .kind = CellKind::text, .may_be_empty = true, .texts = texts_});
  }
  table_->select(wanted);
}

bool StateRows::next() {
  try {
    return read();
  } catch (const BadRow& bad) {
    throw bad.with_advice();
  }
}

bool StateRows::read() {
  constexpr std::size_t block = 8192;
  read_ += numbers_.size();
  numbers_.clear();
  if (steps_) {
    if (!steps_->read(block_, block)) return false;
    for (std::size_t i = 0; i < block_.size(); ++i) numbers_.push_back(read_ + i + 1);
    return true;
  }
  texts_->clear();
  if (!table_->read(cells_, block)) return false;
  rows_.clear();
  for (std::size_t i = 0; i < cells_.rows; ++i) {
    const std::span<const double> state(cells_[i], variables_);
    if (map_) map_->append(state, rows_, Moment::of_evaluation(cells_.row[i]));
    else rows_.append(DenseView{state.data(), state.size()});
  }
  numbers_ = cells_.row;
  return true;
}

std::string_view StateRows::kept(std::size_t column, std::size_t i) const {
  const double index = cells_[i][variables_ + column];
  return std::isnan(index) ? std::string_view() : (*texts_)[static_cast<std::size_t>(index)];
}

}  // namespace bellwether
