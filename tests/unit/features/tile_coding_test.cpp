#include <bellwether/features/tile_coding.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/rejection.h"
#include "support/rows.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using testing::active_features;
using testing::rejection;
using testing::shared;

using Params = TileCoding::Params;
using Tiles = std::vector<std::uint32_t>;

FeatureContext unit_cube(std::size_t d) {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < d; ++i)
    variables.push_back({.name = std::string(1, static_cast<char>('a' + i)), .low = 0, .high = 1});
  return FeatureContext(variables);
}

Tiles tiles_of(const TileCoding& map, const std::vector<double>& state) { return active_features(map, state); }

std::string refusal(const FeatureContext& context, const Params& params) {
  return rejection([&] { TileCoding map(context, params); });
}

TEST(TileCoding, NumbersTilesByTilingAndThenByPlace) {
  // g = 2, n = 4: at u = 0.3, g u = 0.6, so tilings displaced by 2/4 and more are one tile further; 3 tiles each.
  const TileCoding map(unit_cube(1), {.tilings = 4, .tiles = "2"});
  EXPECT_EQ(map.dim(), 12U);
  EXPECT_EQ(map.max_active(), 4U);
  EXPECT_EQ(tiles_of(map, {0.3}), (Tiles{0, 3, 7, 10}));
  EXPECT_EQ(tiles_of(map, {0.0}), (Tiles{0, 3, 6, 9}));
  EXPECT_EQ(tiles_of(map, {1.0}), (Tiles{2, 5, 8, 11}));
}

TEST(TileCoding, DisplacesTheSecondVariableThreeTimesAsFast) {
  // o = (0,0), (1,3), (2,2), (3,1) fourths; 2 x 2 cells of one tile each (g = 1).
  const TileCoding map(unit_cube(2), {.tilings = 4, .tiles = "1"});
  EXPECT_EQ(map.dim(), 16U);
  EXPECT_EQ(tiles_of(map, {0.5, 0.5}), (Tiles{0, 5, 11, 14}));
  EXPECT_EQ(tiles_of(map, {0.0, 0.25}), (Tiles{0, 5, 8, 12}));
}

/// The definition, tile by tile, with everything in n-ths of a tile so that it is exact for states that are multiples.
Tiles by_definition(const std::vector<std::int64_t>& q, std::int64_t g, std::int64_t n, bool clip, bool wrap) {
  const std::int64_t cells = clip || wrap ? g : g + 1;
  Tiles ids;
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t id = j;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const std::int64_t o = j * (1 + 2 * static_cast<std::int64_t>(i)) % n;
      double c = static_cast<double>(q[i] + o) / static_cast<double>(n);
      if (clip) c += -0.5 + 0.5 / static_cast<double>(n);
      auto cell = static_cast<std::int64_t>(std::floor(c + 1e-9));
      if (clip) cell = std::clamp<std::int64_t>(cell, 0, g - 1);
      if (wrap) cell %= g;
      id = id * cells + cell;
    }
    ids.push_back(static_cast<std::uint32_t>(id));
  }
  return ids;
}

TEST(TileCoding, IsItsDefinitionForEveryKindOfEdge) {
  for (const std::int64_t n : {1, 2, 3, 5, 8, 10, 16, 33}) {
    for (const std::int64_t g : {1, 2, 5}) {
      const std::vector<Variable> variables{{"x", 0, static_cast<double>(n * g), true},
                                            {"y", -5, static_cast<double>(n * g) - 5, true}};
      for (const int kind : {0, 1, 2}) {
        const TileCoding map(variables, {.tilings = n,
                                         .tiles = std::to_string(g),
                                         .wrap = kind == 2 ? "x,y" : "none",
                                         .edges = kind == 1 ? TileEdges::clip : TileEdges::extend});
        for (std::int64_t q = 0; q <= n * g; ++q) {
          const std::int64_t r = (3 * q + 1) % (n * g);
          ASSERT_EQ(tiles_of(map, {static_cast<double>(q), static_cast<double>(r) - 5}),
                    by_definition({q, r}, g, n, kind == 1, kind == 2))
              << n << " tilings, " << g << " tiles, kind " << kind << ", q = " << q;
        }
      }
    }
  }
}

TEST(TileCoding, BeyondTheRangeTilesDoubleInWidth) {
  // g = 4 over [0, 1] and one tiling: tiles of 1/4, then of 1/4, 2/4 and the rest at either end.
  const TileCoding map(unit_cube(1), {.tilings = 1, .tiles = "4", .beyond = 3});
  EXPECT_EQ(map.dim(), 4U + 1 + 6);
  const std::vector<std::pair<double, std::uint32_t>> expected{
      {-1e300, 0}, {-1.76, 0}, {-0.76, 0}, {-0.74, 1}, {-0.26, 1}, {-0.24, 2}, {-1e-9, 2}, {0, 3},     {0.3, 4},
      {0.99, 6},   {1, 7},     {1.24, 7},  {1.26, 8},  {1.74, 8},  {1.76, 9},  {2.7, 9},   {2.76, 10}, {1e300, 10}};
  for (const auto& [value, tile] : expected) EXPECT_EQ(tiles_of(map, {value}), Tiles{tile}) << value;
}

TEST(TileCoding, TilesBeyondLeaveThoseWithinAsTheyAreAndWrappedVariablesAlone) {
  FeatureContext context = unit_cube(2);
  context.variables[1].wraps = true;
  const TileCoding plain(context, {.tilings = 4, .tiles = "3"}),
      more(context, {.tilings = 4, .tiles = "3", .beyond = 2});
  EXPECT_EQ(plain.dim(), 4U * 4 * 3);
  EXPECT_EQ(more.dim(), 4U * 8 * 3);
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> state{rng.uniform(), 5 * rng.uniform() - 2};
    Tiles expected = tiles_of(plain, state);
    for (std::uint32_t j = 0; j < 4; ++j) expected[j] = j * 24 + (expected[j] - j * 12) + 2 * 3;  // two rows of three
    EXPECT_EQ(tiles_of(more, state), expected) << state[0] << ' ' << state[1];
  }
}

TEST(TileCoding, CountsGroupsOneAfterTheOther) {
  const TileCoding map(unit_cube(3), {.tilings = 2, .tiles = "4,2x3", .groups = "1,c*a"});
  // Three single variables of 2 x 5 tiles, then one pair of 2 x 3 x 4.
  EXPECT_EQ(map.dim(), 54U);
  EXPECT_EQ(tiles_of(map, {0, 0, 0}), (Tiles{0, 5, 10, 15, 20, 25, 30, 42}));
  EXPECT_EQ(tiles_of(map, {0, 0, 1}), (Tiles{0, 5, 10, 15, 24, 29, 38, 50}));
  EXPECT_EQ(tiles_of(map, {1, 0, 0}), (Tiles{4, 9, 10, 15, 20, 25, 33, 45}));
}

TEST(TileCoding, TakesCombinationsInLexicographicOrder) {
  const TileCoding pairs(unit_cube(4), {.tilings = 2, .tiles = "3", .groups = "2"});
  const TileCoding written(unit_cube(4), {.tilings = 2, .tiles = "3", .groups = "a*b,a*c,a*d,b*c,b*d,c*d"});
  const TileCoding all(unit_cube(4), {.tilings = 2, .tiles = "3", .groups = "all"});
  const TileCoding four(unit_cube(4), {.tilings = 2, .tiles = "3", .groups = "4"});
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> s{rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform()};
    ASSERT_EQ(tiles_of(pairs, s), tiles_of(written, s));
    ASSERT_EQ(tiles_of(all, s), tiles_of(four, s));
  }
}

TEST(TileCoding, WrapsTheVariablesThatSaySoUnlessToldOtherwise) {
  const std::vector<Variable> variables{{.name = "angle", .low = -3, .high = 3, .wraps = true},
                                        {.name = "speed", .low = 0, .high = 1}};
  EXPECT_EQ(TileCoding(variables, {.tilings = 2, .tiles = "4"}).dim(), 2U * 4 * 5);
  EXPECT_EQ(TileCoding(variables, {.tilings = 2, .tiles = "4", .wrap = "none"}).dim(), 2U * 5 * 5);
  EXPECT_EQ(TileCoding(variables, {.tilings = 2, .tiles = "4", .wrap = "speed"}).dim(), 2U * 5 * 4);
  EXPECT_EQ(TileCoding(variables, {.tilings = 2, .tiles = "4", .wrap = "speed,angle"}).dim(), 2U * 4 * 4);
}

TEST(TileCoding, DoesNotLookAtHiddenVariables) {
  auto variables = unit_cube(2).variables;
  variables.push_back({.name = "phase", .low = 0, .high = 0, .hidden = true});
  const TileCoding map(variables, {});
  const TileCoding without(unit_cube(2), {});
  EXPECT_EQ(tiles_of(map, {0.4, 0.7, 99}), tiles_of(without, {0.4, 0.7}));
}

TEST(TileCoding, MergesTilesThatShareAFeature) {
  const TileCoding map(unit_cube(2), {.tilings = 8, .tiles = "8", .memory = 5});
  EXPECT_EQ(map.dim(), 5U);
  EXPECT_EQ(map.max_active(), 5U);
  EXPECT_EQ(TileCoding(unit_cube(2), {.memory = 1000}).dim(), 1000U);
  for (double u = 0; u <= 1; u += 1.0 / 64) {
    const Tiles tiles = tiles_of(map, {u, u * u});
    EXPECT_EQ(std::set<std::uint32_t>(tiles.begin(), tiles.end()).size(), tiles.size());
  }
}

TEST(TileCoding, DirectIndexingIsTheNumberModuloMemory) {
  const Params params{.tilings = 10, .tiles = "10"};
  const TileCoding whole(unit_cube(2), params);
  for (const std::int64_t memory : {1000, 1024, 7, 1}) {
    Params less = params;
    less.memory = memory;
    const TileCoding map(unit_cube(2), less);
    Rng rng(1);
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> s{rng.uniform(), rng.uniform()};
      std::set<std::uint32_t> expected;
      for (const std::uint32_t id : tiles_of(whole, s)) expected.insert(id % static_cast<std::uint32_t>(memory));
      const Tiles tiles = tiles_of(map, s);
      ASSERT_EQ(std::set<std::uint32_t>(tiles.begin(), tiles.end()), expected);
      ASSERT_EQ(tiles.size(), expected.size());
    }
  }
}

TEST(TileCoding, HashesMoreThanTwoToTheThirtyTwoTiles) {
  const TileCoding map(unit_cube(12), {.tilings = 48, .memory = 1 << 16, .indexing = TileIndexing::hash});
  EXPECT_EQ(map.tiles(), 48 * static_cast<std::uint64_t>(std::pow(9, 12)));
  std::vector<double> s(12, 0.5);
  const Tiles here = tiles_of(map, s);
  EXPECT_GE(here.size(), 46U);
  s[11] = 0.5 + 1.0 / 8 / 48 + 1e-9;
  const Tiles there = tiles_of(map, s);
  EXPECT_GE(shared(here, there), 40U);
  EXPECT_LT(shared(here, there), here.size());
}

// The energy benchmark: 25 groups of 32 tilings hashed to 8192 features.
TEST(TileCoding, EightHundredHashedTilesAreAsManyFeaturesAsAnEvenHashLeaves) {
  const std::vector<Variable> variables{
      {"R", 0, 30, true}, {"E", 1, 7, true}, {"P", 30, 70, true}, {"D", 0, 7, true}, {"before", 0, 7, true}};
  Params params{.tilings = 32, .tiles = "4,4,2", .groups = "1,2,3", .memory = 8192, .indexing = TileIndexing::hash};
  const TileCoding hashed(variables, params);
  params.indexing = TileIndexing::direct;
  params.edges = TileEdges::clip;
  const TileCoding direct(variables, params);
  EXPECT_EQ(direct.tiles(), 8320U);
  testing::Sample hash_count;
  testing::Sample direct_count;
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<double> s;
    for (const Variable& v : variables)
      s.push_back(v.low + static_cast<double>(rng.below(static_cast<std::uint64_t>(v.high - v.low) + 1)));
    hash_count.add(static_cast<double>(tiles_of(hashed, s).size()));
    direct_count.add(static_cast<double>(tiles_of(direct, s).size()));
  }
  // 800 balls into 8192 urns: m (1 - (1 - 1/m)^800). The states share tiles, so their counts move together.
  EXPECT_NEAR(hash_count.mean(), 8192 * (1 - std::pow(1 - 1.0 / 8192, 800)), 4);
  EXPECT_NEAR(direct_count.mean(), 796.3, 0.5);
}

TEST(TileCoding, ProbingGivesEveryTileAFeatureOfItsOwnWhileThereAreAny) {
  const Params direct{.tilings = 8, .tiles = "6"};
  const TileCoding whole(unit_cube(2), direct);
  Params params = direct;
  params.indexing = TileIndexing::hash;
  params.collisions = TileCollisions::probe;
  params.memory = static_cast<std::int64_t>(whole.dim());
  const TileCoding probed(unit_cube(2), params);
  params.memory = 50;
  const TileCoding full(unit_cube(2), params);
  std::map<std::uint32_t, std::uint32_t> owner;
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const std::vector<double> s{rng.uniform(), rng.uniform()};
    const Tiles ids = tiles_of(whole, s);
    const Tiles indices = tiles_of(probed, s);
    ASSERT_EQ(indices.size(), ids.size());
    for (std::size_t j = 0; j < ids.size(); ++j) {
      ASSERT_EQ(owner.try_emplace(indices[j], ids[j]).first->second, ids[j]) << "two tiles share a feature";
    }
    const Tiles crowded = tiles_of(full, s);
    ASSERT_EQ(crowded, tiles_of(full, s));
    for (const std::uint32_t index : crowded) ASSERT_LT(index, 50U);
  }
  EXPECT_GT(owner.size(), whole.dim() / 2);
}

TEST(TileCoding, ProbingServesSeveralThreadsAtOnce) {
  const TileCoding map(unit_cube(2), {.tilings = 16,
                                      .tiles = "16",
                                      .memory = 8192,
                                      .indexing = TileIndexing::hash,
                                      .collisions = TileCollisions::probe});
  std::array<std::vector<Tiles>, 4> met;
  std::vector<std::thread> threads;
  for (auto& mine : met) {
    threads.emplace_back([&map, &mine] {
      Rng rng(1);
      for (int i = 0; i < 1000; ++i) mine.push_back(tiles_of(map, {rng.uniform(), rng.uniform()}));
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& mine : met) EXPECT_EQ(mine, met[0]);
}

TEST(TileCoding, RejectsWhatDoesNotFitTogether) {
  EXPECT_EQ(refusal(unit_cube(1), {.edges = TileEdges::clip, .beyond = 1}),
            "tile_coding: beyond = 1 needs edges = extend: clipped edges have no tiles beyond");
  const FeatureContext two = unit_cube(2);
  EXPECT_EQ(refusal(FeatureContext({}), {}), "tile_coding: there is no variable to tile");
  EXPECT_EQ(refusal(FeatureContext({{"x", 2, 2}}), {}),
            "tile_coding: variable 'x' ranges over [2, 2], which cannot be divided");
  EXPECT_EQ(refusal(FeatureContext({{"x", 0, infinity}}), {}),
            "tile_coding: variable 'x' ranges over [0, inf], which cannot be divided");
  EXPECT_EQ(refusal(two, {.tilings = 0}), "tile_coding: tilings = 0 is outside [1, 4096]");
  EXPECT_EQ(refusal(two, {.tiles = "0"}), "tile_coding: tiles = 0 is outside [1, 262144]");
  EXPECT_EQ(refusal(two, {.tiles = "many"}),
            "tile_coding: tiles holds 'many', which is neither a number nor numbers joined by x, as 10x5");
  EXPECT_EQ(refusal(two, {.tiles = "1x2x3"}),
            "tile_coding: tiles = '1x2x3' is for groups of 3 variables, but there is one of 2");
  EXPECT_EQ(refusal(two, {.tiles = "4,2", .groups = "1,2,a"}),
            "tile_coding: tiles = '4,2' has 2 items, but groups = '1,2,a' has 3");
  EXPECT_EQ(refusal(two, {.groups = "3"}), "tile_coding: groups asks for every 3 variables together, but there are 2");
  EXPECT_EQ(refusal(two, {.groups = "0"}), "tile_coding: groups asks for every 0 variables together, but there are 2");
  EXPECT_EQ(refusal(two, {.groups = "a*c"}), "tile_coding: groups names 'c', which is not a variable (known: a, b)");
  EXPECT_EQ(refusal(two, {.groups = ""}), "tile_coding: groups names '', which is not a variable (known: a, b)");
  EXPECT_EQ(refusal(two, {.groups = "a*a"}), "tile_coding: groups names 'a' twice in 'a*a'");
  EXPECT_EQ(refusal(two, {.wrap = "z"}), "tile_coding: wrap names 'z', which is not a variable (known: a, b)");
  EXPECT_EQ(refusal(two, {.tilings = 4096, .groups = "1"}),
            "tile_coding: 2 groups of 4096 tilings are more than 4096 tiles for a state");
  EXPECT_EQ(refusal(two, {.collisions = TileCollisions::probe}),
            "tile_coding: collisions = probe needs indexing = hash");
  EXPECT_EQ(refusal(unit_cube(12), {}),
            "tile_coding: 2259436291848 tiles are more than 2^32; set indexing = hash and memory, or tile fewer "
            "variables jointly (groups = 1,2)");
  EXPECT_EQ(refusal(unit_cube(26), {}), "tile_coding: 5.17e+25 tiles are too many to count");
}

}  // namespace
}  // namespace bellwether
