#include <bellwether/features/radial_basis.h>

#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::features_of;
using testing::rejection;

TEST(RadialBasis, IsAGaussianOfTheDistanceToEveryPlaceOfAGrid) {
  const FeatureContext context({{"x", -2, 2}, {"y", 0, 10}});
  const RadialBasis map(context, {.centres = 4, .width = 0.7, .normalised = false});
  ASSERT_EQ(map.dim(), 16U);
  EXPECT_EQ(map.layout(), Layout::dense);
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const double u = rng.uniform();
    const double v = rng.uniform();
    const auto x = features_of(map, std::array{4 * u - 2, 10 * v});
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        const double squared = std::pow(u - a / 3.0, 2) + std::pow(v - b / 3.0, 2);
        const double sigma = 0.7 / 3;
        EXPECT_NEAR(x[static_cast<std::size_t>(4 * a + b)], std::exp(-squared / (2 * sigma * sigma)), 1e-14);
      }
    }
  }
}

TEST(RadialBasis, NormalisedFeaturesAreTheOthersDividedByTheirSum) {
  const FeatureContext context({{"x", -2, 2}, {"y", 0, 10}});
  const RadialBasis plain(context, {.normalised = false});
  const RadialBasis map(context, {});
  Rng rng(2);
  for (int i = 0; i < 50; ++i) {
    const std::array state{4 * rng.uniform() - 2, 10 * rng.uniform()};
    const auto x = features_of(plain, state);
    const auto y = features_of(map, state);
    const double sum = std::accumulate(x.begin(), x.end(), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(y[j], x[j] / sum, 1e-15);
    EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0), 1, 1e-14);
  }
}

TEST(RadialBasis, StaysNormalisedWhenBumpsAreNarrow) {
  const RadialBasis map(FeatureContext({{"x", 0, 1}}), {.centres = 3, .width = 1e-6});
  const double near_middle = 0.3;
  EXPECT_EQ(features_of(map, {&near_middle, 1}), (std::vector<double>{0, 1, 0}));
}

TEST(RadialBasis, GoesTheShorterWayAroundAVariableThatWraps) {
  const RadialBasis map(FeatureContext({{.name = "angle", .low = 0, .high = 360, .wraps = true}}),
                        {.centres = 4, .normalised = false});
  const double low = 0;
  const double high = 360;
  EXPECT_EQ(features_of(map, {&low, 1}), features_of(map, {&high, 1}));
  const double state = 315;  // halfway from the last centre, 270, to the first
  const auto x = features_of(map, {&state, 1});
  EXPECT_NEAR(x[3], std::exp(-0.125), 1e-15);
  EXPECT_NEAR(x[0], x[3], 1e-15);
  EXPECT_NEAR(x[1], x[2], 1e-15);
}

TEST(RadialBasis, OneCentreStandsInTheMiddle) {
  const RadialBasis map(FeatureContext({{"x", 0, 1}}), {.centres = 1, .normalised = false});
  const double state = 0.75;
  EXPECT_NEAR(features_of(map, {&state, 1})[0], std::exp(-0.03125), 1e-15);
}

TEST(RadialBasis, RejectsMoreFeaturesThanAnyoneWouldWant) {
  std::vector<Variable> many(9, {"x", 0, 1});
  EXPECT_EQ(rejection([&] { RadialBasis map(FeatureContext(many), {}); }),
            "radial_basis: 1953125 features are more than 1048576; take fewer centres");
}

}  // namespace
}  // namespace bellwether
