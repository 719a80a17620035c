#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <bellwether/core/variable.h>

namespace bellwether {

/// Variables that are tiled jointly, by their positions in the state, and the tiles along each of them.
struct TileGroup {
  std::vector<std::size_t> variables;
  std::vector<std::int64_t> tiles;
};

/// The most tiles along one variable.
inline constexpr std::int64_t most_tiles = 1 << 18;

/// Parses groups of variables and their tiles.
///
///   groups   items separated by commas:
///            all          all variables jointly
///            2            every pair of variables, in lexicographic order (1: each alone, 3: every triple, ...)
///            x*speed      these variables jointly
///   tiles    8            eight tiles along every variable
///            10x5         ten along the first variable of a group, five along the second
///            4,4,2        one of these for each item of `groups`
///
/// Throws InvalidArgument that begins with `owner` and names the wrong item.
std::vector<TileGroup> parse_tile_groups(std::string_view owner, const std::vector<Variable>& variables,
                                         std::string_view groups, std::string_view tiles);

/// Which variables wrap around: `auto` (those declared so), `none`, or names separated by commas.
std::vector<bool> parse_wrapping(std::string_view owner, const std::vector<Variable>& variables, std::string_view wrap);

}  // namespace bellwether
