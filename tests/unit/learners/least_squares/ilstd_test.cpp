#include <bellwether/learners/least_squares/ilstd.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/domains/boyan_chain.h>
#include <bellwether/experiment/stream.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

const Experience varied{.off_policy = true, .state_dependent = true, .restart_probability = 0.05};

TEST(ILSTD, EqualsTheTextbookLoopAndItsResidualIsTheDefinition) {
  const auto dense = varied.as(Layout::dense);
  const auto sparse = varied.as(Layout::sparse);
  for (const Schedule schedule : schedules) {
    for (const std::int64_t picks : {1, 3, 20}) {
      for (const Batch& batch : {dense.view(), sparse.view()}) {
        Eigen::MatrixXd S = Eigen::MatrixXd::Zero(8, 8);
        Vector s = Vector::Zero(8);
        Vector e = Vector::Zero(8);
        ILSTD learner(8, {.alpha = 0.01, .lambda = 0.8, .schedule = schedule, .n0 = 3, .picks = picks});
        const auto steps = rule_steps(dense.view(), {.lambda = 0.8, .schedule = schedule});
        EXPECT_LE(departure(learner, batch, steps,
                            [&](const RuleStep& step, Vector& w) {
                              e = step.rho * (step.g * step.l * e + step.x);
                              S += e * (step.x - step.gn * step.xn).transpose();
                              s += step.r * e;
                              for (std::int64_t n = 0; n < picks; ++n) {
                                const Vector mu = s - S * w;
                                Eigen::Index j = 0;
                                mu.cwiseAbs().maxCoeff(&j);
                                w[j] += 0.01 * step.factor * mu[j];
                              }
                              const Vector mu = s - S * w;
                              ASSERT_LE(max_difference(learner.state().head.mu, {mu.begin(), mu.end()}), 1e-11);
                            }),
                  1e-11);
      }
    }
  }
}

/// Learns from 20000 steps of Boyan's chain.
ILSTD learned(const ILSTD::Params& params) {
  const BoyanChain chain({});
  Stream stream(chain, chain.features(), 1);
  ILSTD learner(4, params);
  learner.learn(stream.next(20000));
  return learner;
}

TEST(ILSTD, DivergesSoonerWithALargerConstantStepSize) {
  std::uint64_t last = 0;
  for (const double alpha : {0.05, 0.01}) {
    const ILSTD learner = learned({.alpha = alpha, .schedule = Schedule::constant});
    ASSERT_TRUE(learner.diverged_at());
    EXPECT_GT(*learner.diverged_at(), 2 * last);
    last = *learner.diverged_at();
  }
}

TEST(ILSTD, FindsTheValuesOfBoyansChainWithFallingSteps) {
  const std::vector<double> truth{-24, -16, -8, 0};
  for (const double alpha : {0.5, 1.0}) {
    EXPECT_LE(max_difference(learned({.alpha = alpha, .schedule = Schedule::harmonic}).weights(), truth), 0.5);
  }
  EXPECT_LE(max_difference(learned({.alpha = 0.01}).weights(), truth), 0.5);
  EXPECT_TRUE(learned({.alpha = 0.1}).diverged_at());
}

TEST(ILSTD, PicksTheLowestOfEqualResiduals) {
  BatchBuffer buffer(Layout::binary, 3);
  for (int i = 0; i < 2; ++i) {
    buffer.x().add(2);
    buffer.x().add(1);
    buffer.x().end_row();
  }
  buffer.add({.reward = 1, .discount = 0});
  ILSTD learner(3, {.alpha = 0.5});
  learner.learn(buffer.view());
  EXPECT_EQ(learner.weights(), (std::vector<double>{0, 0.5, 0}));
}

TEST(ILSTD, StaysFiniteOnDegenerateInput) {
  for (const double size : {0.0, 1e-12, 1.0, 1e12}) {
    for (const double reward : {0.0, 1.0, 1e12}) {
      BatchBuffer buffer(Layout::dense, 2);
      for (int t = 0; t <= 300; ++t) {
        const auto x = buffer.x().add_dense();
        x[0] = x[1] = size;
        if (t < 300) buffer.add({.reward = reward, .discount = t % 10 == 9 ? 0.0 : 1.0, .rho = t < 100 ? 0.0 : 1.0});
      }
      ILSTD learner(2, {.lambda = 0.9, .schedule = Schedule::harmonic});
      learner.learn(buffer.view());
      for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w)) << size << " " << reward;
    }
  }
}

}  // namespace
}  // namespace bellwether
