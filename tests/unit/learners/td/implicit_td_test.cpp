#include <bellwether/learners/td/implicit_td.h>
#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(ImplicitTD, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.lambda = 0.9, .schedule = schedule});
    Vector e = Vector::Zero(8);
    ImplicitTD learner(8, {.alpha = 0.5, .lambda = 0.9, .schedule = schedule, .n0 = 3});
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          const double alpha = 0.5 * s.factor;
                          e = s.rho * (s.g * s.l * e + s.x);
                          w += alpha / (1 + alpha * e.squaredNorm()) * s.delta(w) * e;
                        }),
              1e-12);
  }
}

TEST(ImplicitTD, SolvesItsImplicitEquation) {
  const double alpha = 2;
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  const Batch batch = experience.view();
  ImplicitTD learner(8, {.alpha = alpha, .lambda = 0.9});
  Vector e = Vector::Zero(8);
  Vector w = Vector::Zero(8);
  std::size_t t = 0;
  for (const RuleStep& s : rule_steps(batch, {.lambda = 0.9})) {
    learner.learn(batch.slice(t++, 1));
    const std::vector<double> weights = learner.weights();
    const Vector wn = Eigen::Map<const Vector>(weights.data(), 8);
    e = s.rho * (s.g * s.l * e + s.x);
    const Vector residual = w + alpha * (s.delta(w) - e.dot(wn - w)) * e - wn;
    ASSERT_LE(residual.cwiseAbs().maxCoeff(), 1e-13) << "step " << t;
    w = wn;
  }
  EXPECT_GT(w.cwiseAbs().maxCoeff(), 0.1);
}

TEST(ImplicitTD, StaysBoundedAtAStepSizeAtWhichTDDiverges) {
  const auto experience = Experience{.steps = 2000, .binary = true}.as(Layout::binary);
  ImplicitTD implicit(8, {.alpha = 10, .lambda = 0.5});
  TD td(8, {.alpha = 10, .lambda = 0.5});
  implicit.learn(experience.view());
  td.learn(experience.view());
  EXPECT_TRUE(td.diverged_at());
  EXPECT_FALSE(implicit.diverged_at());
  EXPECT_LT(max_size(implicit.weights()), 100);
}

}  // namespace
}  // namespace bellwether
