#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bellwether {

/// Moves one of each index, all of which are below `bound`, to the front and returns how many there are. Without
/// allocation, and in an order that depends on the indices alone.
std::size_t keep_distinct(std::span<std::uint32_t> indices, std::size_t bound);

}  // namespace bellwether
