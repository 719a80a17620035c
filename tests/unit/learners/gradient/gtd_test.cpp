#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(GTD, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    for (const std::optional<double> beta : {std::optional<double>(), std::optional<double>(0.3)}) {
      const auto steps = rule_steps(experience.view(), {.lambda = 0.8, .schedule = schedule});
      Vector e = Vector::Zero(8);
      Vector v = Vector::Zero(8);
      GTD learner(8, {.alpha = 0.1, .lambda = 0.8, .schedule = schedule, .n0 = 3, .beta = beta});
      EXPECT_LE(departure(learner, experience.view(), steps,
                          [&](const RuleStep& s, Vector& w) {
                            const double delta = s.delta(w);
                            e = s.rho * (s.g * s.l * e + s.x);
                            const Vector dw = delta * e - s.gn * (1 - s.ln) * e.dot(v) * s.xn;
                            const Vector dv = delta * e - s.x.dot(v) * s.x;
                            w += 0.1 * s.factor * dw;
                            v += beta.value_or(0.1) * s.factor * dv;
                          }),
                1e-12);
    }
  }
}

TEST(GTD, HasTheWeightsOfOffPolicyTDWhenBetaIsZeroOrLambdaIsOne) {
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  const auto difference = [&](double lambda, double beta) {
    GTD gtd(8, {.alpha = 0.05, .lambda = lambda, .beta = beta});
    TD td(8, {.alpha = 0.05, .lambda = lambda});
    gtd.learn(experience.view());
    td.learn(experience.view());
    EXPECT_GT(max_size(td.weights()), 0.1);
    return max_difference(gtd.weights(), td.weights());
  };
  EXPECT_EQ(difference(0.7, 0), 0);
  EXPECT_EQ(difference(1, 0.2), 0);
  EXPECT_GT(difference(0.7, 0.2), 1e-3);
}

}  // namespace
}  // namespace bellwether
