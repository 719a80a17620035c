#include <bellwether/features/tabular.h>

#include <algorithm>
#include <cmath>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

double count(const Variable& v) { return v.high - v.low + 1; }

}  // namespace

Tabular::Tabular(const FeatureContext& context, const Params& params)
    : variables_(context.variables), others_(params.others) {
  double states = 1;
  for (const Variable& v : variables_) {
    if (!v.whole) {
      throw InvalidArgument("tabular: variable '" + v.name + "' does not take whole values");
    }
    states *= count(v);
  }
  constexpr double most = 0x1p32;
  if (!(states >= 1 && states + (others_ ? 1 : 0) <= most)) {
    throw InvalidArgument("tabular: the ranges of the variables have " + format_number(states) +
                          " states, which is outside [1, 2^32]");
  }
  dim_ = static_cast<std::size_t>(states) + (others_ ? 1 : 0);
}

void Tabular::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  std::size_t j = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    if (others_ && !(state[i] >= v.low && state[i] <= v.high && std::floor(state[i]) == state[i])) {
      rows.add(static_cast<std::uint32_t>(dim_ - 1));
      return;
    }
    const double k = state[i] > v.low ? std::min(state[i], v.high) - v.low : 0;
    j = j * static_cast<std::size_t>(count(v)) + static_cast<std::size_t>(k);
  }
  rows.add(static_cast<std::uint32_t>(j));
}

}  // namespace bellwether
