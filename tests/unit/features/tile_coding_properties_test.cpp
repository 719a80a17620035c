// What is true of every tiling, checked on random ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bellwether/features/tile_coding.h>

#include "support/rows.h"

namespace bellwether {
namespace {

using testing::active_features;
using testing::shared;

using Params = TileCoding::Params;
using Tiles = std::vector<std::uint32_t>;

Tiles tiles_of(const TileCoding& map, const std::vector<double>& state) { return active_features(map, state); }

/// A whole number of n-ths of a tile, away from the ends of the range.
struct Grid {
  std::int64_t n = *rc::gen::inRange<std::int64_t>(1, 40);
  std::int64_t g = *rc::gen::inRange<std::int64_t>(2, 20);
  std::size_t d = *rc::gen::inRange<std::size_t>(1, 4);

  TileCoding map(const std::string& wrap = "none", TileIndexing indexing = TileIndexing::direct) const {
    std::vector<Variable> variables;
    for (std::size_t i = 0; i < d; ++i) {
      variables.push_back(
          {.name = std::string(1, static_cast<char>('a' + i)), .low = 0, .high = static_cast<double>(n * g)});
    }
    return TileCoding(variables, {.tilings = n, .tiles = std::to_string(g), .wrap = wrap, .indexing = indexing});
  }

  /// A state in n-ths of a tile, at most `end` along every variable.
  std::vector<double> state(std::int64_t end) const {
    std::vector<double> s;
    for (std::size_t i = 0; i < d; ++i) s.push_back(static_cast<double>(*rc::gen::inRange<std::int64_t>(0, end + 1)));
    return s;
  }

  /// The tile along each variable, from the tile's number.
  std::vector<std::int64_t> place(std::uint32_t id) const {
    std::vector<std::int64_t> c(d);
    for (std::size_t i = d; i-- > 0; id /= static_cast<std::uint32_t>(g + 1))
      c[i] = id % static_cast<std::uint32_t>(g + 1);
    return c;
  }
};

RC_GTEST_PROP(TileCodingProperties, MovingByOneTileMovesEveryTilingByOneTile, ()) {
  const Grid grid;
  const TileCoding map = grid.map();
  auto s = grid.state(grid.n * (grid.g - 1));
  const Tiles before = tiles_of(map, s);
  const auto i = *rc::gen::inRange<std::size_t>(0, grid.d);
  s[i] += static_cast<double>(grid.n);
  const Tiles after = tiles_of(map, s);
  for (std::size_t j = 0; j < before.size(); ++j) {
    auto expected = grid.place(before[j]);
    ++expected[i];
    RC_ASSERT(grid.place(after[j]) == expected);
  }
}

RC_GTEST_PROP(TileCodingProperties, MovingByPartOfATileChangesAsManyTilings, ()) {
  Grid grid;
  grid.d = 1;
  const TileCoding map = grid.map();
  const auto s = grid.state(grid.n * (grid.g - 1));
  const auto j = *rc::gen::inRange<std::int64_t>(0, grid.n + 1);
  const Tiles before = tiles_of(map, s);
  const Tiles after = tiles_of(map, {s[0] + static_cast<double>(j)});
  RC_ASSERT(shared(before, after) == static_cast<std::size_t>(grid.n - j));
}

RC_GTEST_PROP(TileCodingProperties, EveryTilingHoldsAStateOnceAndIndicesAreBelowTheDimension, ()) {
  const Grid grid;
  const TileCoding map = grid.map();
  const Tiles tiles = tiles_of(map, grid.state(grid.n * grid.g));
  RC_ASSERT(tiles.size() == static_cast<std::size_t>(grid.n));
  const std::size_t cells = map.dim() / static_cast<std::size_t>(grid.n);
  for (std::size_t j = 0; j < tiles.size(); ++j) RC_ASSERT(tiles[j] / cells == j);
}

RC_GTEST_PROP(TileCodingProperties, NeighboursShareAllTilesButOnePerVariable, ()) {
  const Grid grid;
  const TileCoding map = grid.map();
  const auto s = grid.state(grid.n * grid.g - 1);
  auto t = s;
  for (double& v : t) v += *rc::gen::element(0.0, 0.5, 1.0);
  const auto apart = static_cast<std::size_t>(std::min(grid.n, static_cast<std::int64_t>(grid.d)));
  // One n-th further, a variable with displacements o = j (1+2i) mod n changes gcd(n, 1+2i) tilings: one if coprime.
  RC_PRE(grid.n % 3 != 0 && grid.n % 5 != 0);
  RC_ASSERT(shared(tiles_of(map, s), tiles_of(map, t)) >= static_cast<std::size_t>(grid.n) - apart);
}

RC_GTEST_PROP(TileCodingProperties, AWholeTurnChangesNothing, ()) {
  const Grid grid;
  const TileCoding map = grid.map("a");
  auto s = grid.state(grid.n * grid.g);
  const Tiles here = tiles_of(map, s);
  s[0] += static_cast<double>(grid.n * grid.g * *rc::gen::inRange<std::int64_t>(-5, 6));
  RC_ASSERT(tiles_of(map, s) == here);
  s[0] = 0;
  const Tiles low = tiles_of(map, s);
  s[0] = static_cast<double>(grid.n * grid.g);
  RC_ASSERT(tiles_of(map, s) == low);
}

RC_GTEST_PROP(TileCodingProperties, StatesBeyondARangeCountAsItsEnd, ()) {
  const Grid grid;
  const TileCoding map = grid.map();
  auto s = grid.state(grid.n * grid.g);
  const bool above = *rc::gen::arbitrary<bool>();
  const double beyond = *rc::gen::element(0.25, 7.0, 1e10, 1e300, infinity);
  s[0] = above ? static_cast<double>(grid.n * grid.g) : 0;
  const Tiles end = tiles_of(map, s);
  s[0] += above ? beyond : -beyond;
  RC_ASSERT(tiles_of(map, s) == end);
}

RC_GTEST_PROP(TileCodingProperties, StatesWithTheSameTilesAreLessThanAnNthOfATileApart, ()) {
  const Grid grid;
  const TileCoding map = grid.map();
  const auto s = grid.state(grid.n * grid.g);
  const auto t = grid.state(grid.n * grid.g);
  // The tilings of one variable alone tell n-ths of a tile apart if its displacements are all different.
  RC_PRE(grid.n % 3 != 0 && grid.n % 5 != 0);
  RC_ASSERT((tiles_of(map, s) == tiles_of(map, t)) == (s == t));
}

RC_GTEST_PROP(TileCodingProperties, HashedTilesAreUniqueAndBelowTheDimension, ()) {
  const Grid grid;
  const TileCoding map = grid.map("none", TileIndexing::hash);
  const Tiles tiles = tiles_of(map, grid.state(grid.n * grid.g));
  RC_ASSERT(std::set<std::uint32_t>(tiles.begin(), tiles.end()).size() == tiles.size());
  RC_ASSERT(*std::max_element(tiles.begin(), tiles.end()) < map.dim());
}

}  // namespace
}  // namespace bellwether
