#include <bellwether/learners/accelerated/atd_tridiagonal.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;

TEST(ATDTridiagonal, EqualsTheTextbookLoopOfMeans) {
  const auto experience = Experience{.steps = 300,
                                     .non_negative = true,
                                     .off_policy = true,
                                     .state_dependent = true,
                                     .end_probability = 0.3,
                                     .restart_probability = 0.05}
                              .as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.5});
  for (const TraceRule rule : trace_rules) {
    ATDTridiagonal learner(8, {.eta = 2, .lambda = 0.5, .trace = rule, .alpha0 = 0.5});
    TextbookTrace trace(rule, 8);
    MatrixXd T = 2 * MatrixXd::Identity(8, 8);
    double t = 0;
    const auto textbook = [&](const RuleStep& s, Vector& w) {
      const double beta = 1 / (t + 1);
      const double delta = s.delta(w);
      const Vector& e = trace.next(s);
      if (t > 0) T *= 1 - beta;  // the initial diagonal counts fully at the first step
      const MatrixXd sample = e * (s.x - s.gn * s.xn).transpose();
      for (Index i = 0; i < 8; ++i) {
        for (Index j = std::max<Index>(0, i - 1); j <= std::min<Index>(7, i + 1); ++j) T(i, j) += beta * sample(i, j);
      }
      w += 0.5 * beta * delta * solve(T, e);
      t += 1;
    };
    EXPECT_LE(departure(learner, experience.view(), steps, textbook), 1e-10);
    EXPECT_TRUE(learner.findings().empty());
  }
}

TEST(ATDTridiagonal, IsLSTDOnAChainOfStates) {
  // A random walk with one feature per state reaches neighbours only, so the matrix of lambda = 0 is tridiagonal.
  constexpr Index d = 9;
  BatchBuffer buffer(Layout::dense, d);
  Rng rng(3);
  std::size_t state = d / 2;
  buffer.x().add_dense()[state] = 1;
  for (int t = 0; t < 600; ++t) {
    const bool right = rng.below(2) == 1;
    const bool ends = right ? state == d - 1 : state == 0;
    buffer.add({.reward = ends && right ? 1.0 : -0.1, .discount = ends ? 0 : 0.95});
    if (ends) state = d / 2;
    else state = right ? state + 1 : state - 1;
    buffer.x().add_dense()[state] = 1;
  }
  MatrixXd A = 0.1 * MatrixXd::Identity(d, d);
  Vector b = Vector::Zero(d);
  ATDTridiagonal learner(d, {.eta = 0.1});
  const Batch batch = buffer.view();
  for (std::size_t t = 0; t < batch.size; ++t) {
    const auto row = [&](const FeatureRows& rows) { return Eigen::Map<const Vector>(rows.as<DenseView>(t).values, d); };
    A += row(batch.x) * (row(batch.x) - batch.discount[t] * row(batch.x_next)).transpose();
    b += batch.reward[t] * row(batch.x);
    learner.learn(batch.slice(t, 1));
    const Vector w = solve(A, b);
    const auto weights = learner.weights();
    ASSERT_LE((Eigen::Map<const Vector>(weights.data(), d) - w).cwiseAbs().maxCoeff(), 1e-11) << "step " << t;
  }
}

TEST(ATDTridiagonal, LeavesOutStepsAtWhichTheMatrixIsSingular) {
  // T = 1 + rho x d = 1 + 1/2 (1 - 3) = 0.
  const double x[] = {1, 1};
  const double reward[] = {1};
  const double discount[] = {3};
  const double rho[] = {0.5};
  const Batch batch{.size = 1,
                    .x = {.layout = Layout::dense, .dim = 1, .rows = 1, .values = x},
                    .x_next = {.layout = Layout::dense, .dim = 1, .rows = 1, .values = x + 1},
                    .reward = reward,
                    .discount = discount,
                    .rho = rho};
  ATDTridiagonal learner(1, {.eta = 1});
  learner.learn(batch);
  EXPECT_EQ(learner.weights()[0], 0);
  EXPECT_FALSE(learner.diverged_at());
  EXPECT_EQ(learner.findings(), (Settings{{"singular_steps_left_out", "1"}}));
}

}  // namespace
}  // namespace bellwether
