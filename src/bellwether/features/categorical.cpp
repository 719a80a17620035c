#include <bellwether/features/categorical.h>

#include <bellwether/core/error.h>

namespace bellwether {

Categorical::Categorical(const FeatureContext& context, const Params&) {
  if (context.variables.empty()) throw InvalidArgument("categorical: there is no variable");
  for (const Variable& v : context.variables) {
    levels_.emplace_back(name, v, /*parts=*/0);
    dim_ += levels_.back().count();
  }
}

void Categorical::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    rows.add(static_cast<std::uint32_t>(first + levels_[i](state[i])));
    first += levels_[i].count();
  }
}

}  // namespace bellwether
