#include <bellwether/learners/accelerated/atd_diagonal.h>
#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include "support/experience.h"
#include "support/rules.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(ATDDiagonal, EqualsTheTextbookLoopOfMeans) {
  const auto experience = Experience{.steps = 500,
                                     .non_negative = true,
                                     .off_policy = true,
                                     .state_dependent = true,
                                     .end_probability = 0.3,
                                     .restart_probability = 0.05}
                              .as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.8});
  for (const TraceRule rule : trace_rules) {
    ATDDiagonal learner(8, {.eta = 0.01, .lambda = 0.8, .trace = rule, .cutoff = 0.2, .alpha0 = 0.5});
    TextbookTrace trace(rule, 8);
    Vector a = Vector::Zero(8);
    double t = 0;
    int cut = 0;
    const auto textbook = [&](const RuleStep& s, Vector& w) {
      const double beta = 1 / (t + 1);
      const double delta = s.delta(w);
      const Vector& e = trace.next(s);
      a = (1 - beta) * a + beta * e.cwiseProduct(s.x - s.gn * s.xn);
      Vector p = Vector::Zero(8);
      for (Eigen::Index j = 0; j < 8; ++j) {
        if (a[j] > 0.2 * a.maxCoeff()) p[j] = e[j] / a[j];
        else if (e[j] != 0) ++cut;
      }
      w += 0.5 * beta * delta * p + 0.01 * delta * e;
      t += 1;
    };
    EXPECT_LE(departure(learner, experience.view(), steps, textbook), 1e-10);
    EXPECT_GT(cut, 20) << "the cutoff was not tested";
  }
}

TEST(ATDDiagonal, IsTDWhenNothingIsAccelerated) {
  const auto experience = Experience{.off_policy = true}.as(Layout::dense);
  ATDDiagonal learner(8, {.eta = 0.05, .lambda = 0.8, .alpha0 = 0});
  TD td(8, {.alpha = 0.05, .lambda = 0.8});
  learner.learn(experience.view());
  td.learn(experience.view());
  EXPECT_EQ(learner.weights(), td.weights());
}

TEST(ATDDiagonal, AveragesRewardsOfSeparateEpisodes) {
  // One feature per state, every step an episode: w_j is the mean of the rewards seen in j.
  BatchBuffer buffer(Layout::binary, 3);
  std::vector<double> sum(3, 0.0);
  std::vector<double> visits(3, 0.0);
  for (std::uint32_t t = 0; t <= 60; ++t) {
    const std::uint32_t j = t * t % 5 % 3;
    buffer.x().add(j);
    buffer.x().end_row();
    if (t == 60) break;
    buffer.add({.reward = 0.1 * t, .discount = 0});
    sum[j] += 0.1 * t;
    visits[j] += 1;
  }
  ATDDiagonal learner(3, {.eta = 0, .cutoff = 0});
  learner.learn(buffer.view());
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(learner.weights()[j], visits[j] == 0 ? 0 : sum[j] / visits[j], 1e-13);
}

}  // namespace
}  // namespace bellwether
