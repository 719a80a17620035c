#include <bellwether/features/support/dense_map.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

std::size_t checked_feature_count(std::string_view owner, double count, std::string_view advice) {
  if (count <= static_cast<double>(most_dense_features)) return static_cast<std::size_t>(count);
  throw InvalidArgument(
      fmt::format("{}: {} features are more than {}; {}", owner, format_number(count), most_dense_features, advice));
}

}  // namespace bellwether
