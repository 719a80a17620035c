#include <bellwether/core/variable.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/field.h>

namespace bellwether {

std::vector<Variable> visible(std::vector<Variable> variables) {
  std::erase_if(variables, [](const Variable& v) { return v.hidden; });
  return variables;
}

RangeFinder::RangeFinder(std::span<const std::string> names) : sample_(names.size()) {
  for (const std::string& name : names)
    seen_.push_back({.name = name, .low = infinity, .high = -infinity, .whole = true});
}

void RangeFinder::add(std::span<const double> state) {
  assert(state.size() == seen_.size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (!std::isfinite(state[i])) {
      throw InvalidArgument(fmt::format("ranges: variable '{}' = {} is not finite", seen_[i].name, state[i]));
    }
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    Variable& v = seen_[i];
    v.low = std::min(v.low, state[i]);
    v.high = std::max(v.high, state[i]);
    v.whole = v.whole && state[i] == std::floor(state[i]);
  }
  sample_.add(state);
}

std::vector<Variable> RangeFinder::usual_variables() const {
  std::vector<Variable> found = variables();
  const std::size_t rows = sample_.size(), columns = seen_.size();
  const std::size_t rank = std::max<std::size_t>(2, rows / 200);  // of a value in order, from either side
  if (rows <= 4 * rank) return found;
  std::vector<double> column(rows);
  for (std::size_t i = 0; i < columns; ++i) {
    Variable& v = found[i];
    if (constexpr double names = 1000; v.whole && v.high - v.low < names) continue;
    for (std::size_t t = 0; t < rows; ++t) column[t] = sample_[t][i];
    std::sort(column.begin(), column.end());
    const double low = column[rank], high = column[rows - 1 - rank], apart = high - low;
    if (!(apart > 0) || (v.low >= low - apart && v.high <= high + apart)) continue;
    v.low = std::max(v.low, low - apart);
    v.high = std::min(v.high, high + apart);
    v.whole = false;
  }
  return found;
}

std::vector<Variable> RangeFinder::variables() const {
  if (sample_.added() == 0) throw InvalidArgument("ranges: no state was added");
  std::vector<Variable> found = seen_;
  for (Variable& v : found) {
    if (v.low != v.high) continue;
    v.low -= 0.5;
    v.high += 0.5;
    v.whole = false;
  }
  return found;
}

}  // namespace bellwether
