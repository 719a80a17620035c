#include <bellwether/features/polynomial.h>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::features_of;
using testing::rejection;

const FeatureContext& context() {
  static const FeatureContext all({{"x", 0, 4}, {"y", -1, 1}, {"z", -2, 2}});
  return all;
}

TEST(Polynomial, HasEveryProductUpToATotalDegree) {
  const Polynomial map(context(), {.degree = 3});
  ASSERT_EQ(map.dim(), 20U);
  const double u = 0.5;
  const double v = -0.25;
  const double w = 0.75;
  const auto x = features_of(map, std::array{2 * u + 2, v, 2 * w});
  std::size_t j = 0;
  for (int a = 0; a <= 3; ++a) {
    for (int b = 0; a + b <= 3; ++b) {
      for (int c = 0; a + b + c <= 3; ++c) {
        EXPECT_DOUBLE_EQ(x[j++], std::pow(u, a) * std::pow(v, b) * std::pow(w, c)) << a << b << c;
      }
    }
  }
  EXPECT_EQ(j, map.dim());
}

TEST(Polynomial, HasEveryProductOfPowersUpToADegreeEach) {
  const Polynomial map(context(), {.degree = 2, .terms = PolynomialTerms::each});
  ASSERT_EQ(map.dim(), 27U);
  const auto x = features_of(map, std::array{4.0, 0.5, -1.0});  // u = 1, v = 0.5, w = -0.5
  std::size_t j = 0;
  for (int a = 0; a <= 2; ++a) {
    for (int b = 0; b <= 2; ++b) {
      for (int c = 0; c <= 2; ++c) EXPECT_DOUBLE_EQ(x[j++], std::pow(0.5, b) * std::pow(-0.5, c)) << a << b << c;
    }
  }
}

TEST(Polynomial, OfDegreeZeroIsTheConstant) {
  for (const auto terms : {PolynomialTerms::total, PolynomialTerms::each}) {
    const Polynomial map(context(), {.degree = 0, .terms = terms});
    EXPECT_EQ(features_of(map, std::array{1.0, 0.3, 2.0}), std::vector<double>{1});
  }
}

TEST(Polynomial, RejectsMoreFeaturesThanAnyoneWouldWant) {
  EXPECT_EQ(Polynomial(FeatureContext(std::vector<Variable>(20, {"x", 0, 1})), {.degree = 5}).dim(), 53130U);
  EXPECT_EQ(rejection([] { Polynomial map(context(), {.degree = 100, .terms = PolynomialTerms::each}); }), "accepted");
  EXPECT_EQ(rejection([] {
              Polynomial map(FeatureContext(std::vector<Variable>(4, {"x", 0, 1})),
                             {.degree = 99, .terms = PolynomialTerms::each});
            }),
            "polynomial: 100000000 features are more than 1048576; lower degree");
}

}  // namespace
}  // namespace bellwether
