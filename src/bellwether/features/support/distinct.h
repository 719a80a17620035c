#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bellwether {

/// Moves one copy of each index to the front and returns how many there are. All indices are below `bound`. Allocates
/// nothing; the order depends on the indices only.
std::size_t keep_distinct(std::span<std::uint32_t> indices, std::size_t bound);

}  // namespace bellwether
