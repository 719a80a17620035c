#include <bellwether/features/categorical.h>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/features/feature_maps.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::rejection;
using Numbers = std::vector<double>;

/// The features of a state, written out.
Numbers x_of(const FeatureMap& map, const Numbers& state) { return testing::features_of(map, state); }

Variable category(const std::string& name, const std::vector<std::string>& texts) {
  Variable v{.name = name, .low = 0, .high = static_cast<double>(texts.size()), .whole = true};
  v.categories = texts;
  return v;
}

const Variable day = category("day", {"Monday", "Sunday"});
const Variable shop = category("shop of the day", {"north", "south", "west"});
const Variable hour{.name = "hour", .low = 8, .high = 10, .whole = true};
const Variable warmth{.name = "warmth", .low = 0, .high = 1};

TEST(Categorical, HasAFeatureForEachTextAndOneForAnyOther) {
  const auto map = make_features("categorical", std::vector{day, shop});
  ASSERT_EQ(map->dim(), 7U);
  EXPECT_EQ(map->max_active(), 2U);
  EXPECT_EQ(map->layout(), Layout::binary);
  EXPECT_EQ(x_of(*map, {0, 0}), (Numbers{1, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(x_of(*map, {1, 2}), (Numbers{0, 1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(x_of(*map, {2, 3}), (Numbers{0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(x_of(*map, {7, -1}), (Numbers{0, 0, 1, 0, 0, 0, 1}));
}

TEST(Categorical, TakesWholeNumbersThatAreAskedFor) {
  const auto map = make_features("categorical(hour)", std::vector{warmth, hour});
  ASSERT_EQ(map->dim(), 4U);
  EXPECT_EQ(x_of(*map, {0.5, 8}), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(x_of(*map, {0.5, 10}), (Numbers{0, 0, 1, 0}));
  for (const double other : {7.0, 11.0, 8.5, 1e300, -1e300}) {
    EXPECT_EQ(x_of(*map, {0.5, other}), (Numbers{0, 0, 0, 1})) << other;
  }
}

TEST(Categorical, RejectsWhatIsNeitherTextNorWhole) {
  EXPECT_EQ(rejection([] { make_features("categorical(warmth)", std::vector{warmth}); }),
            "categorical: variable 'warmth' is neither a category nor whole: tile_coding suits it");
}

TEST(Categorical, MapsOfNumbersLeaveTextToIt) {
  const auto map = make_features("tile_coding(tilings=1 tiles=2) + categorical", std::vector{day, warmth});
  EXPECT_EQ(x_of(*map, {0, 0.9}), (Numbers{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(rejection([] {
              make_features("tile_coding(warmth)", std::vector{shop, warmth});
            }),
            "features: variable 'shop of the day' holds categories, and no map of 'tile_coding(warmth)' uses it: add "
            "categorical(\"shop of the day\"), or leave it out of the state");
  EXPECT_EQ(rejection([] {
              make_features("tile_coding(day)", std::vector{day, warmth});
            }),
            "tile_coding: variable 'day' holds categories, which have no order: categorical(day) suits them");
}

TEST(Cross, HasAFeatureForEachCombination) {
  const auto map = make_features("cross(hour, day)", std::vector{day, hour});
  ASSERT_EQ(map->dim(), 12U);
  EXPECT_EQ(map->max_active(), 1U);
  for (double h = 0; h < 4; ++h) {
    for (double d = 0; d < 3; ++d) {
      Numbers expected(12);
      expected[static_cast<std::size_t>(3 * h + d)] = 1;
      EXPECT_EQ(x_of(*map, {d, 8 + h}), expected);
    }
  }
}

TEST(Cross, CutsARangeIntoParts) {
  const auto map = make_features("cross(day warmth parts=4)", std::vector{day, warmth});
  ASSERT_EQ(map->dim(), 12U);
  for (const auto& [u, part] : {std::pair{-1.0, 4}, {0.0, 4}, {0.24, 4}, {0.25, 5}, {0.99, 7}, {1.0, 7}, {5.0, 7}}) {
    EXPECT_EQ(x_of(*map, {1, u})[static_cast<std::size_t>(part)], 1) << u;
  }
}

TEST(Cross, HashesWhatIsMoreThanItsMemory) {
  const Variable many{.name = "many", .low = 0, .high = 9999, .whole = true};
  const auto map = make_features("cross(many day memory=50 parts=9999)", std::vector{many, day});
  ASSERT_EQ(map->dim(), 50U);
  std::vector<int> hits(50);
  for (double i = 0; i < 9999; ++i) {
    const Numbers x = x_of(*map, {i, 1});
    for (std::size_t j = 0; j < 50; ++j) hits[j] += x[j] == 1 ? 1 : 0;
  }
  // 200 each on average, with a standard deviation of 14.
  for (const int count : hits) EXPECT_NEAR(count, 200, 6 * 14);
}

TEST(Selection, NamesItsVariablesAndRejectsOthers) {
  const std::vector variables{day, shop, hour, warmth};
  EXPECT_EQ(
      rejection([&] { make_features("cross(day, hours) + categorical", variables); }),
      "cross: there is no variable 'hours'; did you mean 'hour'? (variables: day, shop of the day, hour, warmth)");
  EXPECT_EQ(rejection([&] { make_features("categorical + tile_coding(warmth tilings 8)", variables); }),
            "tile_coding: there is no variable 'tilings'; tilings is a parameter: tilings=8");
  EXPECT_EQ(rejection([&] { make_features("cross(day, day) + categorical", variables); }),
            "cross: variable 'day' is named twice");
  const auto map = make_features("categorical(\"shop of the day\", day) + tile_coding(warmth, tilings=2)", variables);
  EXPECT_EQ(map->dim(), 4U + 3U + 2 * 9U);
}

}  // namespace
}  // namespace bellwether
