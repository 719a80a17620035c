#include <bellwether/features/support/levels.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/features/support/unit_interval.h>

namespace bellwether {

Levels::Levels(std::string_view owner, const Variable& variable, std::int64_t parts) : low_(variable.low) {
  if (!variable.categories.empty()) {
    low_ = 0;
    count_ = variable.categories.size() + 1;
    return;
  }
  check_range(owner, variable);
  const double values = variable.high - variable.low + 1;
  if (constexpr double most_kept = 64; parts > 0 && !(variable.whole && values <= most_kept)) {
    parts_ = true;
    scale_ = static_cast<double>(parts) / (variable.high - variable.low);
    count_ = static_cast<std::uint64_t>(parts);
    return;
  }
  if (!variable.whole) {
    throw InvalidArgument(
        fmt::format("{}: variable '{}' is neither a category nor whole: tile_coding suits it", owner, variable.name));
  }
  if (constexpr double most = 1e6; values > most) {
    throw InvalidArgument(fmt::format("{}: variable '{}' from {} to {} has more than a million values", owner,
                                      variable.name, variable.low, variable.high));
  }
  count_ = static_cast<std::uint64_t>(values) + 1;
}

}  // namespace bellwether
