#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/true_online_gtd.h>
#include <bellwether/learners/td/true_online_td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(TrueOnlineGTD, EqualsTheTextbookLoop) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.lambda = 0.9, .schedule = schedule});
    Vector e = Vector::Zero(8);
    Vector eg = Vector::Zero(8);
    Vector eh = Vector::Zero(8);
    Vector v = Vector::Zero(8);
    Vector w_before = Vector::Zero(8);
    TrueOnlineGTD learner(8, {.alpha = 0.1, .lambda = 0.9, .schedule = schedule, .n0 = 3, .beta = 0.2});
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          const double alpha = 0.1 * s.factor;
                          const double beta = 0.2 * s.factor;
                          const double delta = s.delta(w);
                          const double f = s.rho * s.g * s.l;
                          const double fh = s.rhop * s.g * s.l;
                          e = s.rho * (s.g * s.l * e + alpha * (1 - f * e.dot(s.x)) * s.x);
                          eg = s.rho * (s.g * s.l * eg + s.x);
                          eh = fh * eh + beta * (1 - fh * eh.dot(s.x)) * s.x;
                          const Vector dw = delta * e + (e - alpha * s.rho * s.x) * (w - w_before).dot(s.x) -
                                            alpha * s.gn * (1 - s.ln) * eg.dot(v) * s.xn;
                          v += s.rho * delta * eh - beta * s.x.dot(v) * s.x;
                          w_before = w;
                          w += dw;
                        }),
              1e-12);
  }
}

TEST(TrueOnlineGTD, IsTrueOnlineTDOnPolicyWhenBetaIsZeroAndOnlyThen) {
  const auto experience = Experience{.steps = 500, .random_discount = true}.as(Layout::dense);
  const auto difference = [&](double beta) {
    TrueOnlineGTD gradient(8, {.alpha = 0.2, .lambda = 0.8, .beta = beta});
    TrueOnlineTD plain(8, {.alpha = 0.2, .lambda = 0.8});
    gradient.learn(experience.view());
    plain.learn(experience.view());
    EXPECT_GT(max_size(plain.weights()), 0.1);
    return max_difference(gradient.weights(), plain.weights());
  };
  EXPECT_EQ(difference(0), 0);
  EXPECT_GT(difference(0.1), 1e-4);
}

TEST(TrueOnlineGTD, IsGTDWhenLambdaIsZeroAndOnlyThen) {
  const auto experience = Experience{.steps = 500, .off_policy = true, .random_discount = true}.as(Layout::dense);
  const auto difference = [&](double lambda) {
    TrueOnlineGTD true_online(8, {.alpha = 0.1, .lambda = lambda, .beta = 0.2});
    GTD gtd(8, {.alpha = 0.1, .lambda = lambda, .beta = 0.2});
    true_online.learn(experience.view());
    gtd.learn(experience.view());
    EXPECT_GT(max_size(gtd.weights()), 0.1);
    return max_difference(true_online.weights(), gtd.weights());
  };
  EXPECT_LE(difference(0), 1e-12);
  EXPECT_GT(difference(0.8), 1e-3);
}

}  // namespace
}  // namespace bellwether
