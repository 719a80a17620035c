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

RangeFinder::RangeFinder(std::span<const std::string> names) {
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
  ++states_;
}

std::vector<Variable> RangeFinder::variables() const {
  if (states_ == 0) throw InvalidArgument("ranges: no state was added");
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
