#include <bellwether/data/cell_check.h>

#include <cmath>

#include <fmt/format.h>

namespace bellwether {

std::string CellCheck::objection(const std::string& where, double value) const {
  if (!std::isfinite(value)) return fmt::format("{}: '{}' is not finite", where, value);
  if (flag_) return fmt::format("{}: '{}' is neither 0 nor 1", where, value);
  return fmt::format("{} = {} is outside {}", where, value, range_.text());
}

}  // namespace bellwether
