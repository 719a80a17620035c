#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/td.h>

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

/// n steps through n+1 states that are all new, each with its own feature, reward 1: with lambda = 0 and alpha = 1 the
/// weight of a state is its follow-on trace F.
std::vector<double> follow_on(std::size_t n, double discount, std::size_t episode) {
  BatchBuffer buffer(Layout::binary, n + 1);
  for (std::size_t t = 0; t <= n; ++t) {
    buffer.x().add(static_cast<std::uint32_t>(t));
    buffer.x().end_row();
    if (t < n) buffer.add({.reward = 1, .discount = (t + 1) % episode == 0 ? 0.0 : discount});
  }
  ETD learner(n + 1, {.alpha = 1, .lambda = 0});
  learner.learn(buffer.view());
  return learner.weights();
}

TEST(ETD, FollowOnTraceCountsTheStepsOfAnUndiscountedEpisode) {
  EXPECT_EQ(follow_on(8, 1.0, 5), (std::vector<double>{1, 2, 3, 4, 5, 1, 2, 3, 0}));
}

TEST(ETD, FollowOnTraceOfADiscountedStreamTendsToTheDiscountedCount) {
  const auto F = follow_on(400, 0.9, 1000);
  EXPECT_NEAR(F[399], 10, 1e-12);
  EXPECT_NEAR(F[2], 1 + 0.9 + 0.81, 1e-15);
}

TEST(ETD, EqualsTheTextbookLoop) {
  const auto experience = varied.as(Layout::dense);
  for (const Schedule schedule : schedules) {
    for (const std::optional<double> beta : {std::optional<double>(), std::optional<double>(0.5)}) {
      const auto steps = rule_steps(experience.view(), {.lambda = 0.6, .schedule = schedule});
      Vector e = Vector::Zero(8);
      double F = 0;
      ETD learner(8, {.alpha = 0.1, .lambda = 0.6, .schedule = schedule, .n0 = 3, .interest = 1.5, .beta = beta});
      EXPECT_LE(departure(learner, experience.view(), steps,
                          [&](const RuleStep& s, Vector& w) {
                            const double i = 1.5 * s.i;
                            F = s.g == 0 ? i : s.rhop * beta.value_or(s.g) * F + i;
                            const double M = s.l * i + (1 - s.l) * F;
                            e = s.rho * (s.g * s.l * e + M * s.x);
                            w += 0.1 * s.factor * s.delta(w) * e;
                          }),
                1e-12);
    }
  }
}

TEST(ETD, IsOffPolicyTDWhenLambdaIsOne) {
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  ETD emphatic(8, {.alpha = 0.05, .lambda = 1});
  TD td(8, {.alpha = 0.05, .lambda = 1});
  emphatic.learn(experience.view());
  td.learn(experience.view());
  EXPECT_EQ(emphatic.weights(), td.weights());
  EXPECT_GT(max_size(td.weights()), 0.1);
}

TEST(ETD, BetaReplacesTheDiscountInTheFollowOnTrace) {
  const auto experience = Experience{.off_policy = true, .discount = 0.7}.as(Layout::dense);
  const auto weights = [&](std::optional<double> beta) {
    ETD learner(8, {.alpha = 0.05, .lambda = 0.5, .beta = beta});
    learner.learn(experience.view());
    return learner.weights();
  };
  EXPECT_EQ(weights(0.7), weights(std::nullopt));
  EXPECT_GT(max_difference(weights(0.6), weights(std::nullopt)), 1e-4);

  TD td(8, {.alpha = 0.05, .lambda = 0.5});
  td.learn(experience.view());
  EXPECT_EQ(weights(0.0), td.weights());
}

}  // namespace
}  // namespace bellwether
