#include <bellwether/features/fourier.h>

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::features_of;
using testing::rejection;

const FeatureContext& context() {
  static const FeatureContext all({{"x", -2, 2}, {"y", 0, 1}, {"z", 5, 15}});
  return all;
}

TEST(Fourier, IsTheCosineOfEveryFrequencyVectorWithTheLastVariableFastest) {
  const Fourier map(context(), {.order = 4});
  ASSERT_EQ(map.dim(), 125U);
  EXPECT_EQ(map.layout(), Layout::dense);
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const std::array u{rng.uniform(), rng.uniform(), rng.uniform()};
    const auto x = features_of(map, std::array{4 * u[0] - 2, u[1], 5 + 10 * u[2]});
    std::size_t j = 0;
    for (int a = 0; a <= 4; ++a) {
      for (int b = 0; b <= 4; ++b) {
        for (int c = 0; c <= 4; ++c) {
          // Rounding of u moves an angle of up to 12 pi by some 12 pi epsilon.
          EXPECT_NEAR(x[j++], std::cos(std::numbers::pi * (a * u[0] + b * u[1] + c * u[2])), 5e-14);
        }
      }
    }
  }
}

TEST(Fourier, HasACosineOfEveryMultipleOfOneVariableWhenTermsAreIndependent) {
  const Fourier map(context(), {.order = 7, .terms = FourierTerms::independent});
  ASSERT_EQ(map.dim(), 22U);
  const std::array u{0.3, 0.7, 0.45};
  const auto x = features_of(map, std::array{4 * u[0] - 2, u[1], 5 + 10 * u[2]});
  EXPECT_EQ(x[0], 1.0);
  std::size_t j = 1;
  for (const double v : u) {
    for (int k = 1; k <= 7; ++k) EXPECT_NEAR(x[j++], std::cos(std::numbers::pi * k * v), 2e-14);
  }
}

TEST(Fourier, KnowsTheCosinesOfHalvesAndWholes) {
  const Fourier map(FeatureContext({{"x", 0, 1}}), {.order = 1000});
  const double zero = 0;
  for (const double v : features_of(map, {&zero, 1})) EXPECT_EQ(v, 1.0);
  const double one = 1;
  const auto x = features_of(map, {&one, 1});
  for (std::size_t k = 0; k <= 1000; ++k) EXPECT_EQ(x[k], k % 2 == 0 ? 1 : -1);
  const double half = 0.5;
  const auto y = features_of(map, {&half, 1});
  for (std::size_t k = 1; k <= 1000; k += 2) EXPECT_NEAR(y[k], 0, 6e-16);
}

TEST(Fourier, ItsCosinesAreAccurateEverywhere) {
  const Fourier map(FeatureContext({{"x", 0, 1}}), {.order = 1});
  for (int i = 0; i <= 10000; ++i) {
    const double u = i / 10000.0;
    const long double cosine = std::cos(std::numbers::pi_v<long double> * u);
    ASSERT_NEAR(features_of(map, {&u, 1})[1], static_cast<double>(cosine), 6e-16);
  }
}

TEST(Fourier, RejectsMoreFeaturesThanAnyoneWouldWant) {
  std::vector<Variable> many(9, {"x", 0, 1});
  EXPECT_EQ(rejection([&] { Fourier map(FeatureContext(many), {.order = 7}); }),
            "fourier: 134217728 features are more than 1048576; lower order, or set terms = independent");
  EXPECT_EQ(rejection([&] { Fourier map(FeatureContext({}), {}); }), "fourier: there is no variable");
  EXPECT_EQ(rejection([&] {
              Fourier map(FeatureContext({{"x", 3, 3}}), {});
            }),
            "fourier: variable 'x' ranges over [3, 3], which cannot be divided");
}

}  // namespace
}  // namespace bellwether
