#include <bellwether/domains/boyan_chain.h>

#include <complex>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/metrics/exact.h>

#include "support/dense_algebra.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using testing::rejection;
using testing::Sample;

TEST(BoyanChain, ValueOfStateIIsMinusTwoI) {
  for (const std::int64_t size : {4, 12, 100, 400}) {
    const BoyanChain chain({.size = size});
    for (std::int64_t i = 1; i <= size; ++i) {
      const auto state = static_cast<double>(i);
      EXPECT_NEAR(*chain.true_value({&state, 1}), -2 * state, 1e-12 * static_cast<double>(size));
    }
  }
}

TEST(BoyanChain, FixedPointIsMinusEightTimesTheFeaturesToGoForEveryLambda) {
  for (const auto& [size, features] : {std::pair{12, 4}, {100, 26}, {400, 101}}) {
    const BoyanChain chain({.size = size});
    const Exact exact(chain, *chain.features());
    ASSERT_EQ(exact.X().cols(), features);
    for (const double lambda : {0.0, 0.3, 0.8, 0.99, 1.0}) {
      for (const auto weighting : {Weighting::behaviour, Weighting::emphatic}) {
        const Eigen::VectorXd w = exact.system(lambda, weighting).solution();
        for (int j = 0; j < features; ++j) {
          EXPECT_NEAR(w[j], -8.0 * (features - 1 - j), 1e-8) << "size " << size << ", lambda " << lambda;
        }
      }
    }
  }
}

TEST(BoyanChain, FeaturesInterpolateBetweenEveryFourthState) {
  const BoyanChain chain({});
  const Exact exact(chain, *chain.features());
  const auto x = [&](int state) -> Eigen::RowVector4d { return exact.X().row(state - 1); };
  EXPECT_EQ(x(12), Eigen::RowVector4d(1, 0, 0, 0));
  EXPECT_EQ(x(11), Eigen::RowVector4d(0.75, 0.25, 0, 0));
  EXPECT_EQ(x(8), Eigen::RowVector4d(0, 1, 0, 0));
  EXPECT_EQ(x(4), Eigen::RowVector4d(0, 0, 1, 0));
  EXPECT_EQ(x(1), Eigen::RowVector4d(0, 0, 0.25, 0.75));
}

TEST(BoyanChain, ExpectedVisitsOfAnEpisodeHalveTheirDistanceToTwoThirds) {
  const BoyanChain chain({});
  const auto d = chain.model()->visit_distribution();
  double expected = 1;
  for (std::size_t row = 12; row-- > 0;) {
    EXPECT_NEAR(d[row] / d[11], expected, 1e-14) << "state " << row + 1;
    expected = 1 - expected / 2;  // 1, .5, .75, .625, .6875, .65625, .671875, .6640625, ...
  }
}

TEST(BoyanChain, MeanEpisodeHasEightPointTwoTwoTwoStepsInTheModelAndWhenSimulated) {
  constexpr double mean_length = 8.22216796875;
  const BoyanChain chain({});
  EXPECT_NEAR(1 / chain.model()->visit_distribution()[11], mean_length, 1e-13);

  Rng rng(1);
  Sample lengths;
  double state = 0;
  for (int episode = 0; episode < 20000; ++episode) {
    chain.start(rng, {&state, 1});
    ASSERT_EQ(state, 12);
    int length = 1;
    while (chain.step(rng, {&state, 1}).discount > 0) ASSERT_LE(++length, 12) << "an episode does not end";
    lengths.add(length);
  }
  EXPECT_NEAR(lengths.mean(), mean_length, 4 * lengths.standard_error());
}

TEST(BoyanChain, KeyMatrixOfLambdaZeroHasTheKnownSingularValuesAndEigenvalues) {
  const BoyanChain chain({});
  const Eigen::MatrixXd A = Exact(chain, *chain.features()).system(0).A;
  const Eigen::Vector4d singular = testing::Svd(A).sigma;
  EXPECT_LT((singular - Eigen::Vector4d(0.12231, 0.10541, 0.06240, 0.04165)).cwiseAbs().maxCoeff(), 5e-6);

  const Eigen::VectorXcd eigenvalues = testing::eigenvalues(A);
  for (const std::complex<double> known :
       {std::complex{0.0512, 0.0801}, {0.0512, -0.0801}, {0.0563, 0.0232}, {0.0563, -0.0232}}) {
    EXPECT_LT((eigenvalues.array() - known).abs().minCoeff(), 1e-4) << known;
  }
}

TEST(BoyanChain, RejectsASizeThatIsNoMultipleOfFour) {
  EXPECT_EQ(rejection([] { BoyanChain chain({.size = 14}); }), "boyan_chain: size = 14 is not a multiple of 4");
  EXPECT_EQ(rejection([] { BoyanChain chain({.size = 0}); }), "boyan_chain: size = 0 is outside [4, 1000000]");
}

}  // namespace
}  // namespace bellwether
