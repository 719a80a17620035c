#include <bellwether/features/cross.h>

#include <algorithm>

#include <bellwether/core/error.h>
#include <bellwether/features/support/fmix.h>

namespace bellwether {

Cross::Cross(const FeatureContext& context, const Params& params) {
  if (context.variables.empty()) throw InvalidArgument("cross: there is no variable");
  double combinations = 1;
  for (const Variable& v : context.variables) {
    levels_.emplace_back(name, v, checked(name, params).parts);
    combinations *= static_cast<double>(levels_.back().count());
  }
  if (combinations > 0x1p63)
    throw InvalidArgument("cross: there are more than 2^63 combinations; cross fewer variables");
  constexpr std::int64_t usual = 4096;
  const auto memory = static_cast<double>(params.memory.value_or(usual));
  hashed_ = combinations > memory;
  dim_ = static_cast<std::size_t>(std::min(combinations, memory));
}

void Cross::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  std::uint64_t k = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) k = k * levels_[i].count() + levels_[i](state[i]);
  rows.add(static_cast<std::uint32_t>(hashed_ ? upper_fmix64(k) % dim_ : k));
}

}  // namespace bellwether
