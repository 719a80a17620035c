#include <bellwether/learners/gradient/gtd2.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(GTD2, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.lambda = 0.8, .schedule = schedule});
    Vector e = Vector::Zero(8);
    Vector v = Vector::Zero(8);
    GTD2 learner(8, {.alpha = 0.4, .lambda = 0.8, .schedule = schedule, .n0 = 3, .beta = 0.5});
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          const double delta = s.delta(w);
                          e = s.rho * (s.g * s.l * e + s.x);
                          const Vector dw = s.x.dot(v) * s.x - s.gn * (1 - s.ln) * e.dot(v) * s.xn;
                          const Vector dv = delta * e - s.x.dot(v) * s.x;
                          w += 0.4 * s.factor * dw;
                          v += 0.5 * s.factor * dv;
                        }),
              1e-12);
  }
}

TEST(GTD2, LearnsNothingWithoutItsSecondWeights) {
  GTD2 learner(8, {.alpha = 0.1, .beta = 0});
  learner.learn(Experience{}.as(Layout::dense).view());
  EXPECT_EQ(max_size(learner.weights()), 0);
}

}  // namespace
}  // namespace bellwether
