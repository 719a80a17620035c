#include <bellwether/features/tabular.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

std::size_t count(const Variable& v) { return static_cast<std::size_t>(v.high - v.low) + 1; }

}  // namespace

Tabular::Tabular(const Domain& domain, const Params&) : variables_(domain.variables()) {
  for (const Variable& v : variables_) {
    if (!v.whole) {
      throw InvalidArgument("tabular: variable '" + v.name + "' of " + std::string(domain.type()) +
                            " does not take whole values");
    }
    dim_ *= count(v);
  }
}

void Tabular::append(std::span<const double> state, RowBuffer& rows) const {
  std::size_t j = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    j = j * count(variables_[i]) + static_cast<std::size_t>(state[i] - variables_[i].low);
  }
  rows.add(static_cast<std::uint32_t>(j));
  rows.end_row();
}

}  // namespace bellwether
