#pragma once

#include <cstddef>
#include <string_view>

namespace bellwether {

/// The largest number of features of a dense map: a row of 8 MiB.
inline constexpr std::size_t most_dense_features = std::size_t{1} << 20U;

/// `count` as a size. Throws InvalidArgument, beginning with `owner` and ending with `advice`, when it is more than
/// that.
std::size_t checked_feature_count(std::string_view owner, double count, std::string_view advice);

}  // namespace bellwether
