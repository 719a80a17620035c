#include <bellwether/domains/baird.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/metrics/exact.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

class BairdTest : public ::testing::Test {
 protected:
  Baird baird_{{}};
  Exact exact_{baird_, *baird_.features()};

  Eigen::VectorXd initial_weights() const {
    const auto w = baird_.initial_weights();
    return Eigen::Map<const Eigen::VectorXd>(w.data(), static_cast<Eigen::Index>(w.size()));
  }
};

double smallest_of_symmetric_part(const Eigen::MatrixXd& A) {
  return testing::symmetric_eigenvalues((A + A.transpose()) / 2)[0];
}

TEST_F(BairdTest, EveryValueIsZero) {
  for (double state = 1; state <= 7; ++state) EXPECT_EQ(baird_.true_value({&state, 1}), 0.0);
}

TEST_F(BairdTest, FeaturesAreTwoWIPlusW8AndW7PlusTwoW8) {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(7, 8);
  for (int s = 0; s < 6; ++s) X(s, s) = 2;
  X(6, 6) = 1;
  X.col(7) << 1, 1, 1, 1, 1, 1, 2;
  EXPECT_EQ(exact_.X(), X);
}

TEST_F(BairdTest, StartsFromTheCustomaryWeights) {
  EXPECT_EQ(baird_.initial_weights(), (std::vector<double>{1, 1, 1, 1, 1, 1, 10, 1}));
}

TEST_F(BairdTest, BehaviourVisitsAllStatesEqually) {
  EXPECT_LT((exact_.d().array() - 1.0 / 7).abs().maxCoeff(), 1e-15);
}

TEST_F(BairdTest, SolidLeadsToSevenWithRatioSevenAndDashedElsewhereWithRatioZero) {
  ASSERT_EQ(baird_.actions(), (std::vector<std::string>{"dashed", "solid"}));
  Rng rng(1);
  double state = 0;
  baird_.start(rng, {&state, 1});
  int solid = 0;
  constexpr int steps = 7000;
  for (int t = 0; t < steps; ++t) {
    const Outcome outcome = baird_.step(rng, {&state, 1});
    EXPECT_EQ(outcome.action, state == 7 ? 1 : 0);
    EXPECT_EQ(outcome.rho, state == 7 ? 7 : 0);
    EXPECT_EQ(outcome.pi, state == 7 ? 1 : 0);
    EXPECT_EQ(outcome.reward, 0);
    EXPECT_EQ(outcome.discount, 0.99);
    solid += outcome.action;
  }
  EXPECT_NEAR(solid, steps / 7.0, 4 * std::sqrt(steps * 6 / 49.0));
}

TEST_F(BairdTest, TdKeyMatrixHasTheEigenvalueMinus0239AndIsNotPositiveSemidefinite) {
  const Eigen::MatrixXd A = exact_.system(0).A;
  const Eigen::VectorXcd eigenvalues = testing::eigenvalues(A);
  EXPECT_NEAR(eigenvalues.real().minCoeff(), -0.23925, 5e-6);
  EXPECT_LT(eigenvalues.imag().cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_NEAR(smallest_of_symmetric_part(A), -1.02058, 5e-6);
}

TEST_F(BairdTest, ExpectedTdDivergesAtEveryStepSize) {
  const auto [A, b] = exact_.system(0);
  for (const double alpha : {0.001, 0.01, 0.1}) {
    Eigen::VectorXd w = initial_weights();
    const int iterations = static_cast<int>(100 / alpha);  // growth of exp(0.239 * 100) = 2e10
    for (int t = 0; t < iterations; ++t) w += alpha * (b - A * w);
    EXPECT_GT((exact_.X() * w).norm(), 1e6) << "alpha " << alpha;
  }
}

TEST_F(BairdTest, FollowOnIsOneSeventhButForTheCentre) {
  const Eigen::VectorXd f = exact_.follow_on();
  for (int s = 0; s < 6; ++s) EXPECT_NEAR(f[s], 1.0 / 7, 1e-14);
  // f_7 = 1/7 + gamma sum f, hence (1/7 + 0.99 * 6/7) / 0.01.
  EXPECT_NEAR(f[6], (1 + 0.99 * 6) / 7 / 0.01, 1e-11);
  EXPECT_NEAR(f[6], 99.142857, 1e-6);
}

TEST_F(BairdTest, EmphaticKeyMatrixHasAPositiveSemidefiniteSymmetricPart) {
  for (const double lambda : {0.0, 0.5, 0.9, 1.0}) {
    EXPECT_GT(smallest_of_symmetric_part(exact_.system(lambda, Weighting::emphatic).A), -1e-13) << lambda;
  }
}

TEST_F(BairdTest, ExpectedEmphaticTdReachesTheTrueValuesFromTheInitialWeights) {
  const auto [A, b] = exact_.system(0, Weighting::emphatic);
  Eigen::VectorXd w = initial_weights();
  for (int t = 0; t < 1000; ++t) w += 0.1 * (b - A * w);  // the slowest direction shrinks by 1 - 0.1 * 4/7 a step
  EXPECT_LT((exact_.X() * w).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(w.norm(), 0.1) << "weights that X does not see stay";
}

TEST_F(BairdTest, WithTheTargetActingStaysInTheCentre) {
  const auto target = baird_.on_policy();
  ASSERT_NE(target, nullptr);
  Rng rng(1);
  double state = 3;
  for (int t = 0; t < 100; ++t) {
    EXPECT_EQ(target->step(rng, {&state, 1}).rho, 1);
    EXPECT_EQ(state, 7);
  }
  EXPECT_EQ(target->initial_weights(), baird_.initial_weights());
  EXPECT_EQ(Exact(*target, *target->features()).X(), exact_.X());
}

}  // namespace
}  // namespace bellwether
