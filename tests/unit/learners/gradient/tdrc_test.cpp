#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/tdrc.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(TDRC, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    for (const double kappa : {0.5, 1.0}) {
      const auto steps = rule_steps(experience.view(), {.lambda = 0.8, .schedule = schedule});
      Vector e = Vector::Zero(8);
      Vector v = Vector::Zero(8);
      TDRC learner(8, {.alpha = 0.1, .lambda = 0.8, .schedule = schedule, .n0 = 3, .kappa = kappa});
      EXPECT_LE(departure(learner, experience.view(), steps,
                          [&](const RuleStep& s, Vector& w) {
                            const double delta = s.delta(w);
                            e = s.rho * (s.g * s.l * e + s.x);
                            const Vector dw = delta * e - s.gn * (1 - s.ln) * e.dot(v) * s.xn;
                            const Vector dv = delta * e - s.x.dot(v) * s.x - kappa * v;
                            w += 0.1 * s.factor * dw;
                            v += 0.1 * s.factor * dv;
                          }),
                1e-12);
    }
  }
}

TEST(TDRC, IsGTDWithoutRegularisationAndOnlyThen) {
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  GTD gtd(8, {.alpha = 0.1, .lambda = 0.5, .beta = 0.3});
  TDRC free(8, {.alpha = 0.1, .lambda = 0.5, .beta = 0.3, .kappa = 0});
  TDRC drawn(8, {.alpha = 0.1, .lambda = 0.5, .beta = 0.3});
  for (Learner* learner : {static_cast<Learner*>(&gtd), static_cast<Learner*>(&free), static_cast<Learner*>(&drawn)}) {
    learner->learn(experience.view());
  }
  EXPECT_EQ(free.weights(), gtd.weights());
  EXPECT_GT(max_difference(drawn.weights(), gtd.weights()), 1e-4);
}

}  // namespace
}  // namespace bellwether
