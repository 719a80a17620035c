#include <bellwether/features/support/selection.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

void Selection::write(std::span<const double> state, Moment moment, RowBuffer& rows) const {
  std::array<double, most> some;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  for (std::size_t i = 0; i < indices_.size(); ++i) some[i] = state[indices_[i]];
  map_->write({some.data(), indices_.size()}, moment, rows);
}

std::vector<std::size_t> selected_variables(std::string_view owner, Uses uses, const std::vector<std::string>& names,
                                            const std::vector<Variable>& variables) {
  const auto is_category = [](const Variable& v) { return !v.categories.empty(); };
  std::vector<std::size_t> indices;
  for (const std::string& name : names) {
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name == name; });
    if (found == variables.end()) {
      std::vector<std::string> all;
      for (const Variable& v : variables) all.push_back(v.name);
      throw InvalidArgument(fmt::format("{}: there is no variable '{}'{} (variables: {})", owner, name,
                                        suggestion(name, all), detail::join(all, ", ")));
    }
    if (uses == Uses::numbers && is_category(*found)) {
      throw InvalidArgument(fmt::format(
          "{}: variable '{}' holds categories, which have no order: categorical({}) suits them", owner, name, name));
    }
    const auto index = static_cast<std::size_t>(found - variables.begin());
    if (std::find(indices.begin(), indices.end(), index) != indices.end()) {
      throw InvalidArgument(fmt::format("{}: variable '{}' is named twice", owner, name));
    }
    indices.push_back(index);
  }
  if (!names.empty()) return indices;
  const bool some = std::any_of(variables.begin(), variables.end(), is_category);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (!some || uses == Uses::all || is_category(variables[i]) == (uses == Uses::categories)) indices.push_back(i);
  }
  return indices;
}

}  // namespace bellwether
