#include <bellwether/learners/td/td.h>
#include <bellwether/learners/td/true_online_td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

const Experience varied{.steps = 200,
                        .state_dependent = true,
                        .random_discount = true,
                        .end_probability = 0.1,
                        .restart_probability = 0.05};

/// The forward view as a rule: hands out w_1, w_2, ...
auto forward_rule(const std::vector<RuleStep>& steps, double alpha) {
  std::vector<double> step_size;
  for (const RuleStep& s : steps) step_size.push_back(alpha * s.factor);
  return [t = std::size_t{0}, w = forward_view(steps, step_size, std::vector<double>(steps.size(), 1.0))](
             const RuleStep&, Vector& out) mutable { out = w[t++]; };
}

TEST(TrueOnlineTD, EqualsItsForwardViewAfterEveryStep) {
  const auto experience = varied.as(Layout::dense);
  for (const Schedule schedule : schedules) {
    for (const double lambda : {0.0, 0.6, 1.0}) {
      const auto steps = rule_steps(experience.view(), {.lambda = lambda, .schedule = schedule});
      TrueOnlineTD learner(8, {.alpha = 0.3, .lambda = lambda, .schedule = schedule, .n0 = 3});
      EXPECT_LE(departure(learner, experience.view(), steps, forward_rule(steps, 0.3)), 1e-13)
          << names(schedule)[static_cast<std::size_t>(schedule)] << " lambda " << lambda;
    }
  }
}

TEST(TrueOnlineTD, WouldLeaveItsForwardViewIfTheTraceDecayedWithTheNextDiscount) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {});
  const auto loop = [&](bool next_discount) {
    Vector w = Vector::Zero(8);
    Vector e = Vector::Zero(8);
    double V_old = 0;
    double most = 0;
    auto forward = forward_rule(steps, 0.3);
    for (const RuleStep& s : steps) {
      const double f = (next_discount ? s.gn : s.g) * s.l;
      const double V = w.dot(s.x);
      const double Vn = w.dot(s.xn);
      if (s.g == 0) V_old = V;
      e = f * e + 0.3 * (1 - f * e.dot(s.x)) * s.x;
      w += (s.r + s.gn * Vn - V_old) * e + 0.3 * (V_old - V) * s.x;
      V_old = Vn;
      Vector w_forward;
      forward(s, w_forward);
      most = std::max(most, (w - w_forward).cwiseAbs().maxCoeff());
    }
    return most;
  };
  EXPECT_LE(loop(false), 1e-13);
  EXPECT_GT(loop(true), 1e-2);
}

TEST(TrueOnlineTD, EqualsTheBooksFormWhenAlphaIsConstant) {
  const double alpha = 0.3;
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {});
  Vector z = Vector::Zero(8);
  double V_old = 0;
  TrueOnlineTD learner(8, {.alpha = alpha, .lambda = 0.8});
  EXPECT_LE(departure(learner, experience.view(), steps,
                      [&](const RuleStep& s, Vector& w) {
                        const double delta = s.delta(w);
                        const double V = w.dot(s.x);
                        const double Vn = w.dot(s.xn);
                        z = s.g * s.l * z + (1 - alpha * s.g * s.l * z.dot(s.x)) * s.x;
                        w += alpha * (delta + V - V_old) * z - alpha * (V - V_old) * s.x;
                        V_old = Vn;
                      }),
            1e-13);
}

TEST(TrueOnlineTD, IsTDWhenLambdaIsZero) {
  const auto experience = varied.as(Layout::dense);
  TrueOnlineTD true_online(8, {.alpha = 0.2, .lambda = 0});
  TD td(8, {.alpha = 0.2, .lambda = 0});
  true_online.learn(experience.view());
  td.learn(experience.view());
  EXPECT_LE(max_difference(true_online.weights(), td.weights()), 1e-12);
  EXPECT_GT(max_size(td.weights()), 0.1);
}

TEST(TrueOnlineTD, IsNotTDWhenLambdaIsPositive) {
  const auto experience = varied.as(Layout::dense);
  TrueOnlineTD true_online(8, {.alpha = 0.2, .lambda = 0.8});
  TD td(8, {.alpha = 0.2, .lambda = 0.8});
  true_online.learn(experience.view());
  td.learn(experience.view());
  EXPECT_GT(max_difference(true_online.weights(), td.weights()), 1e-3);
}

}  // namespace
}  // namespace bellwether
