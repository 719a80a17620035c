#include <bellwether/domains/random_walk.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/metrics/exact.h>

#include "support/dense_algebra.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

double value(const RandomWalk& walk, double state) { return *walk.true_value({&state, 1}); }

Eigen::MatrixXd rows(const RandomWalk& walk) { return Exact(walk, *walk.features()).X(); }

TEST(RandomWalk, OfFiveStatesWithEndsZeroAndOneIsWorthISixths) {
  const RandomWalk walk({.size = 5, .left = 0, .right = 1});
  for (int i = 1; i <= 5; ++i) EXPECT_NEAR(value(walk, i), i / 6.0, 1e-15);
}

TEST(RandomWalk, OfNineteenStatesIsWorthTenthsFromTheMiddle) {
  const RandomWalk walk({});
  for (int i = 1; i <= 19; ++i) EXPECT_NEAR(value(walk, i), (i - 10) / 10.0, 1e-14);
}

TEST(RandomWalk, IsWorthTheLineBetweenItsEndsAtAnySize) {
  for (const int n : {2, 6, 51}) {
    const RandomWalk walk({.size = n, .left = 3, .right = -4});
    for (int i = 1; i <= n; ++i) EXPECT_NEAR(value(walk, i), 3 - 7.0 * i / (n + 1), 1e-12);
  }
}

TEST(RandomWalk, WithADiscountSolvesTheDiscountedRecursion) {
  const RandomWalk walk({.size = 9, .left = -1, .right = 2, .discount = 0.9});
  for (int i = 2; i <= 8; ++i) {
    EXPECT_NEAR(value(walk, i), 0.9 * (value(walk, i - 1) + value(walk, i + 1)) / 2, 1e-15);
  }
  EXPECT_NEAR(value(walk, 1), (-1 + 0.9 * value(walk, 2)) / 2, 1e-15);
  EXPECT_NEAR(value(walk, 9), (2 + 0.9 * value(walk, 8)) / 2, 1e-15);
}

TEST(RandomWalk, StartsInTheMiddle) {
  Rng rng(1);
  double state = 0;
  for (const auto& [size, middle] : {std::pair{5, 3.0}, {19, 10.0}, {6, 4.0}}) {
    RandomWalk({.size = size}).start(rng, {&state, 1});
    EXPECT_EQ(state, middle);
  }
}

TEST(RandomWalk, RowsOfFeaturesHaveUnitLengthWhateverTheyAre) {
  for (const auto features : {WalkFeatures::tabular, WalkFeatures::inverted, WalkFeatures::dependent}) {
    for (const int n : {3, 5, 19}) {
      const Eigen::MatrixXd X = rows(RandomWalk({.size = n, .features = features}));
      ASSERT_EQ(X.rows(), n);
      for (int s = 0; s < n; ++s) EXPECT_NEAR(X.row(s).norm(), 1, 1e-15);
    }
  }
}

TEST(RandomWalk, InvertedFeaturesAreOffInTheirOwnStateOnly) {
  const Eigen::MatrixXd X = rows(RandomWalk({.size = 5, .features = WalkFeatures::inverted}));
  for (int s = 0; s < 5; ++s) {
    for (int j = 0; j < 5; ++j) EXPECT_EQ(X(s, j), s == j ? 0.0 : 0.5);
  }
}

TEST(RandomWalk, DependentFeaturesOfFiveStatesAreThePublishedThree) {
  const Eigen::MatrixXd X = rows(RandomWalk({.size = 5, .features = WalkFeatures::dependent}));
  Eigen::MatrixXd ones(5, 3);
  ones << 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1;
  EXPECT_LT((X - ones.rowwise().normalized()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(testing::rank(X), 3);
}

TEST(RandomWalk, DependentFeaturesAreIndependentOfOneAnotherButFewerThanStates) {
  for (const int n : {3, 7, 19}) {
    const Eigen::MatrixXd X = rows(RandomWalk({.size = n, .features = WalkFeatures::dependent}));
    EXPECT_EQ(X.cols(), (n + 1) / 2);
    EXPECT_EQ(testing::rank(X), (n + 1) / 2);
  }
}

TEST(RandomWalk, TabularAndInvertedFeaturesRepresentTheValuesExactly) {
  for (const auto features : {WalkFeatures::tabular, WalkFeatures::inverted}) {
    const RandomWalk walk({.features = features});
    const Exact exact(walk, *walk.features());
    for (const double lambda : {0.0, 0.8, 1.0}) {
      const Eigen::VectorXd v = exact.X() * exact.system(lambda).solution();
      for (int i = 1; i <= 19; ++i) EXPECT_NEAR(v[i - 1], (i - 10) / 10.0, 1e-10);
    }
  }
}

TEST(RandomWalk, RejectsDependentFeaturesOfAnEvenSize) {
  EXPECT_EQ(rejection([] { RandomWalk walk({.size = 6, .features = WalkFeatures::dependent}); }),
            "random_walk: size = 6 is not odd, which features = dependent requires");
  EXPECT_EQ(rejection([] { RandomWalk walk({.size = 6, .features = WalkFeatures::inverted}); }), "accepted");
}

}  // namespace
}  // namespace bellwether
