#include <bellwether/features/tabular.h>

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

std::uint32_t index(const Tabular& map, std::span<const double> state) {
  RowBuffer rows(map.layout(), map.dim());
  map.append(state, rows);
  const auto x = rows.view().as<BinaryView>(0);
  EXPECT_EQ(x.size, 1U);
  return x.indices[0];
}

TEST(Tabular, CountsOneVariableFromItsLowestValue) {
  const Tabular map(FeatureContext({{"state", 3, 7, true}}), {});
  EXPECT_EQ(map.dim(), 5U);
  EXPECT_EQ(map.layout(), Layout::binary);
  EXPECT_EQ(map.max_active(), 1U);
  for (double s = 3; s <= 7; ++s) EXPECT_EQ(index(map, {&s, 1}), static_cast<std::uint32_t>(s - 3));
}

TEST(Tabular, GivesEveryCombinationItsOwnFeatureWithTheLastVariableFastest) {
  const Tabular map(FeatureContext({{"x", 0, 1, true}, {"y", -1, 1, true}, {"z", 5, 8, true}}), {});
  ASSERT_EQ(map.dim(), 24U);
  std::uint32_t expected = 0;
  for (double x = 0; x <= 1; ++x) {
    for (double y = -1; y <= 1; ++y) {
      for (double z = 5; z <= 8; ++z) EXPECT_EQ(index(map, std::array{x, y, z}), expected++);
    }
  }
}

TEST(Tabular, TakesStatesThatAreNotInTheTableForTheNearestUnlessOthersHaveAFeature) {
  const FeatureContext context({{"x", 0, 2, true}, {"y", 5, 6, true}});
  const Tabular nearest(context, {}), apart(context, {.others = true});
  EXPECT_EQ(apart.dim(), nearest.dim() + 1);
  for (const auto& state : {std::array{-1.0, 5.0}, std::array{3.0, 6.0}, std::array{1e300, 5.0}, std::array{0.5, 6.0},
                            std::array{2.0, 4.0}, std::array{1.0, 7.0}}) {
    EXPECT_LT(index(nearest, state), 6U);
    EXPECT_EQ(index(apart, state), 6U);
  }
  for (double x = 0; x <= 2; ++x) {
    for (double y = 5; y <= 6; ++y) EXPECT_EQ(index(apart, std::array{x, y}), index(nearest, std::array{x, y}));
  }
}

TEST(Tabular, RejectsAVariableThatDoesNotTakeWholeValues) {
  const FeatureContext context({{"cell", 0, 4, true}, {"speed", 0, 1, false}});
  EXPECT_EQ(rejection([&] { Tabular map(context, {}); }), "tabular: variable 'speed' does not take whole values");
}

}  // namespace
}  // namespace bellwether
