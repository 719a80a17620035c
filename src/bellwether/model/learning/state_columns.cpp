#include <bellwether/model/learning/state_columns.h>

#include <algorithm>

#include <fmt/format.h>

namespace bellwether {

StateColumns::StateColumns(const LogColumns& columns, TableReader& table, std::size_t rows)
    : columns_(columns), ranges_(columns.state), categories_(columns.state.size()) {
  std::vector<std::string> names = columns.state;
  names.insert(names.end(), columns.next.begin(), columns.next.end());
  const std::vector<bool> text = table.hold_text(names, rows);
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto& categories = categories_[i % categories_.size()];
    if (text[i] && !categories) categories = std::make_shared<Categories>();
  }
}

std::vector<ColumnRequest> StateColumns::requests() const {
  std::vector<ColumnRequest> all;
  for (const auto* names : {&columns_.state, &columns_.next}) {
    for (std::size_t i = 0; i < names->size(); ++i) {
      all.push_back({.name = (*names)[i],
                     .kind = categories_[i] ? CellKind::category : CellKind::number,
                     .categories = categories_[i]});
    }
  }
  return all;
}

void StateColumns::add(const TableBlock& rows) {
  const std::size_t n = columns_.state.size();
  const bool has_next = !columns_.next.empty();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    ranges_.add({rows[i], n});
    if (has_next) ranges_.add({rows[i] + n, n});
  }
}

std::vector<Variable> StateColumns::variables(bool all_values, std::vector<std::string>& note) const {
  std::vector<Variable> found = ranges_.variables();
  // One outlier must not make all other states alike.
  const std::vector<Variable> usual = all_values ? found : ranges_.usual_variables();
  for (std::size_t i = 0; i < found.size(); ++i) {
    Variable& all = found[i];
    const Variable& some = usual[i];
    if (categories_[i]) {
      all = {.name = all.name, .low = 0, .high = 0, .whole = true};
      all.categories = categories_[i]->texts();
      all.high = static_cast<double>(all.categories.size());
      categories_[i]->close();
      note.push_back(fmt::format("{} is text, with {} categories{}: {}", all.name, all.categories.size(),
                                 categories_[i]->overflowed() ? "; all others are one more" : "",
                                 listed(all.categories)));
    } else if (some.low != all.low || some.high != all.high) {
      has_outliers_ = true;
      note.push_back(fmt::format("range of {}: {:.6g} to {:.6g}, without the outliers that reach from {:.6g} to {:.6g}",
                                 all.name, some.low, some.high, all.low, all.high));
      all = some;
    }
  }
  return found;
}

}  // namespace bellwether
