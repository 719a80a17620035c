#include <bellwether/learners/gradient/htd.h>
#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(HTD, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.lambda = 0.8, .schedule = schedule});
    Vector e = Vector::Zero(8);
    Vector eb = Vector::Zero(8);
    Vector v = Vector::Zero(8);
    HTD learner(8, {.alpha = 0.1, .lambda = 0.8, .schedule = schedule, .n0 = 3, .beta = 0.2});
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          const double delta = s.delta(w);
                          const Vector d = s.x - s.gn * s.xn;
                          e = s.rho * (s.g * s.l * e + s.x);
                          eb = s.g * s.l * eb + s.x;
                          const Vector dw = delta * e + (e - eb).dot(v) * d;
                          const Vector dv = delta * e - eb.dot(v) * d;
                          w += 0.1 * s.factor * dw;
                          v += 0.2 * s.factor * dv;
                        }),
              1e-12);
  }
}

TEST(HTD, IsTDWhereThePoliciesAgreeAndOnlyThere) {
  for (const bool off_policy : {false, true}) {
    for (const Layout layout : {Layout::dense, Layout::sparse}) {
      const auto experience = Experience{.steps = 1000, .off_policy = off_policy}.as(layout);
      HTD htd(8, {.alpha = 0.05, .lambda = 0.8, .beta = 0.2});
      TD td(8, {.alpha = 0.05, .lambda = 0.8});
      htd.learn(experience.view());
      td.learn(experience.view());
      const double difference = max_difference(htd.weights(), td.weights());
      if (off_policy) EXPECT_GT(difference, 1e-3);
      else EXPECT_LE(difference, 1e-12);
    }
  }
}

}  // namespace
}  // namespace bellwether
