#include <bellwether/learners/td/true_online_etd.h>
#include <bellwether/learners/td/true_online_td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

const Experience varied{.off_policy = true,
                        .state_dependent = true,
                        .random_discount = true,
                        .end_probability = 0.1,
                        .restart_probability = 0.05};

/// alpha rho M of every step.
std::vector<double> step_sizes(const std::vector<RuleStep>& steps, double alpha, double interest) {
  std::vector<double> all;
  double F = 0;
  for (const RuleStep& s : steps) {
    const double i = interest * s.i;
    F = s.rhop * s.g * F + i;
    all.push_back(alpha * s.factor * s.rho * (s.l * i + (1 - s.l) * F));
  }
  return all;
}

TEST(TrueOnlineETD, EqualsItsForwardViewAfterEveryStep) {
  const auto experience = varied.as(Layout::dense);
  for (const Schedule schedule : schedules) {
    for (const double lambda : {0.0, 0.7, 1.0}) {
      const auto steps = rule_steps(experience.view(), {.lambda = lambda, .schedule = schedule});
      std::vector<double> rho;
      for (const RuleStep& s : steps) rho.push_back(s.rho);
      const auto w = forward_view(steps, step_sizes(steps, 0.1, 1.5), rho);
      TrueOnlineETD learner(8, {.alpha = 0.1, .lambda = lambda, .schedule = schedule, .n0 = 3, .interest = 1.5});
      EXPECT_LE(departure(learner, experience.view(), steps,
                          [&, t = std::size_t{0}](const RuleStep&, Vector& out) mutable { out = w[t++]; }),
                1e-13)
          << names(schedule)[static_cast<std::size_t>(schedule)] << " lambda " << lambda;
    }
  }
}

TEST(TrueOnlineETD, EqualsTheTextbookLoop) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.9});
  const auto a = step_sizes(steps, 0.1, 1);
  Vector e = Vector::Zero(8);
  double D = 0;
  std::size_t t = 0;
  TrueOnlineETD learner(8, {.alpha = 0.1, .lambda = 0.9});
  EXPECT_LE(departure(learner, experience.view(), steps,
                      [&](const RuleStep& s, Vector& w) {
                        const double f = s.rho * s.g * s.l;
                        e = f * e + a[t] * (1 - f * e.dot(s.x)) * s.x;
                        const Vector dw = s.delta(w) * e + D * (e - a[t] * s.x);
                        w += dw;
                        D = dw.dot(s.xn);
                        ++t;
                      }),
            1e-12);
}

TEST(TrueOnlineETD, IsTrueOnlineTDWhereTheEmphasisIsOne) {
  // On-policy, the interest i = 1 - (1 - lambda) gamma F_{t-1} makes M = lambda i + (1 - lambda) (gamma F_{t-1} + i)
  // = 1.
  const double lambda = 0.7;
  const auto experience = Experience{.steps = 500, .random_discount = true}.as(Layout::dense);
  Batch batch = experience.view();
  std::vector<double> interest;
  double F = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const double g = t == 0 ? 0 : batch.discount[t - 1];
    interest.push_back(1 - (1 - lambda) * g * F);
    F = g * F + interest.back();
  }
  EXPECT_LT(*std::min_element(interest.begin(), interest.end()), 0.8) << "the interest should matter";
  EXPECT_GT(*std::min_element(interest.begin(), interest.end()), 0);

  TrueOnlineETD emphatic(8, {.alpha = 0.2, .lambda = lambda});
  TrueOnlineTD plain(8, {.alpha = 0.2, .lambda = lambda});
  plain.learn(batch);
  batch.interest = interest.data();
  emphatic.learn(batch);
  EXPECT_LE(max_difference(emphatic.weights(), plain.weights()), 1e-12);
  EXPECT_GT(max_size(plain.weights()), 0.1);
}

TEST(TrueOnlineETD, IsTrueOnlineTDOnPolicyWhenLambdaIsOneAndOnlyThen) {
  const auto experience = Experience{.steps = 500, .random_discount = true}.as(Layout::dense);
  for (const double lambda : {1.0, 0.9}) {
    TrueOnlineETD emphatic(8, {.alpha = 0.2, .lambda = lambda});
    TrueOnlineTD plain(8, {.alpha = 0.2, .lambda = lambda});
    emphatic.learn(experience.view());
    plain.learn(experience.view());
    if (lambda == 1) EXPECT_EQ(emphatic.weights(), plain.weights());
    else EXPECT_GT(max_difference(emphatic.weights(), plain.weights()), 1e-3);
  }
}

}  // namespace
}  // namespace bellwether
