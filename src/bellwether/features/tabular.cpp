#include <bellwether/features/tabular.h>

#include <algorithm>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

double count(const Variable& v) { return v.high - v.low + 1; }

}  // namespace

Tabular::Tabular(const FeatureContext& context, const Params&) : variables_(context.variables) {
  double states = 1;
  for (const Variable& v : variables_) {
    if (!v.whole) {
      throw InvalidArgument("tabular: variable '" + v.name + "' does not take whole values");
    }
    states *= count(v);
  }
  constexpr double most = 0x1p32;
  if (!(states >= 1 && states <= most)) {
    throw InvalidArgument("tabular: the ranges of the variables have " + format_number(states) +
                          " states, which is outside [1, 2^32]");
  }
  dim_ = static_cast<std::size_t>(states);
}

void Tabular::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  std::size_t j = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& v = variables_[i];
    const double k = state[i] > v.low ? std::min(state[i], v.high) - v.low : 0;
    j = j * static_cast<std::size_t>(count(v)) + static_cast<std::size_t>(k);
  }
  rows.add(static_cast<std::uint32_t>(j));
}

}  // namespace bellwether
