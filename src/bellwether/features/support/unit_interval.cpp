#include <bellwether/features/support/unit_interval.h>

#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

void check_range(std::string_view owner, const Variable& variable) {
  if (variable.low < variable.high && std::isfinite(variable.high - variable.low)) return;
  throw InvalidArgument(fmt::format("{}: variable '{}' ranges over [{}, {}], which cannot be divided", owner,
                                    variable.name, format_number(variable.low), format_number(variable.high)));
}

UnitInterval::UnitInterval(std::string_view owner, const std::vector<Variable>& variables) {
  if (variables.empty()) throw InvalidArgument(fmt::format("{}: there is no variable", owner));
  for (const Variable& v : variables) {
    check_range(owner, v);
    ranges_.push_back({v.low, v.high - v.low});
  }
}

}  // namespace bellwether
