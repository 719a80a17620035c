#include <bellwether/core/variable.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/field.h>

namespace bellwether {
namespace {

/// The finaliser fmix64 of MurmurHash3: a bijection whose results look random.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 33U) * 0xff51afd7ed558ccdU;
  number = (number ^ number >> 33U) * 0xc4ceb9fe1a85ec53U;
  return number ^ number >> 33U;
}

}  // namespace

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
  keep_for_quantiles(state);
  ++states_;
}

/// Whatever the order of the states, and whatever period they have, each is in the sample with the same probability.
void RangeFinder::keep_for_quantiles(std::span<const double> state) {
  constexpr std::size_t most = 8192;
  const std::uint64_t number = mixed(states_);
  if (number > threshold_) return;
  if (numbers_.size() == most) {
    threshold_ /= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < most; ++i) {
      if (numbers_[i] > threshold_) continue;
      numbers_[kept] = numbers_[i];
      std::copy_n(sample_.begin() + static_cast<std::ptrdiff_t>(i * state.size()), state.size(),
                  sample_.begin() + static_cast<std::ptrdiff_t>(kept * state.size()));
      ++kept;
    }
    numbers_.resize(kept);
    sample_.resize(kept * state.size());
    if (number > threshold_) return;
  }
  numbers_.push_back(number);
  sample_.insert(sample_.end(), state.begin(), state.end());
}

std::vector<Variable> RangeFinder::usual_variables() const {
  std::vector<Variable> found = variables();
  const std::size_t rows = numbers_.size(), columns = seen_.size();
  const std::size_t rank = std::max<std::size_t>(2, rows / 200);  // of a value in order, from either side
  if (rows <= 4 * rank) return found;
  std::vector<double> column(rows);
  for (std::size_t i = 0; i < columns; ++i) {
    Variable& v = found[i];
    if (constexpr double names = 1000; v.whole && v.high - v.low < names) continue;
    for (std::size_t t = 0; t < rows; ++t) column[t] = sample_[t * columns + i];
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
