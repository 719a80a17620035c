#include <bellwether/learners/td/td.h>

#include <gtest/gtest.h>

#include <cmath>

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;

/// TD(lambda) as it is written in books, one dense loop per line.
std::vector<double> textbook_td(const Batch& batch, double alpha, double lambda) {
  const std::size_t d = batch.dim();
  std::vector<double> w(d, 0.0);
  std::vector<double> e(d, 0.0);
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const auto x = batch.x.as<DenseView>(t);
    const auto xn = batch.x_next.as<DenseView>(t);
    const double delta = batch.reward[t] + batch.discount[t] * kernels::dot(xn, w.data()) - kernels::dot(x, w.data());
    for (std::size_t j = 0; j < d; ++j) e[j] = g * lambda * e[j] + x.values[j];
    for (std::size_t j = 0; j < d; ++j) w[j] += (alpha * delta) * e[j];
    g = batch.discount[t];
  }
  return w;
}

TEST(TD, EqualsTheTextbookLoopBitForBitOnDenseFeatures) {
  for (const double lambda : {0.0, 0.7, 1.0}) {
    const auto experience = Experience{.steps = 500, .random_discount = true}.as(Layout::dense);
    TD td(8, {.alpha = 0.1, .lambda = lambda});
    td.learn(experience.view());
    EXPECT_EQ(td.weights(), textbook_td(experience.view(), 0.1, lambda)) << "lambda " << lambda;
  }
}

TEST(TD, EqualsTheTextbookLoopOffPolicyUnderEverySchedule) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    const auto steps = rule_steps(experience.view(), {.lambda = 0.8, .schedule = schedule});
    Vector e = Vector::Zero(8);
    TD td(8, {.alpha = 0.1, .lambda = 0.8, .schedule = schedule, .n0 = 3});
    EXPECT_LE(departure(td, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          e = s.rho * (s.g * s.l * e + s.x);
                          w += 0.1 * s.factor * s.delta(w) * e;
                        }),
              1e-12);
  }
}

TEST(TD, StepSizesFallAsTheScheduleSays) {
  // One state, every step an episode with reward 1: w += a (1 - w).
  const auto learned = [](Schedule schedule) {
    BatchBuffer buffer(Layout::binary, 1);
    for (int t = 0; t < 4; ++t) {
      buffer.x().add(0);
      buffer.x().end_row();
      if (t < 3) buffer.add({.reward = 1, .discount = 0});
    }
    TD td(1, {.alpha = 0.5, .schedule = schedule, .n0 = 1});
    td.learn(buffer.view());
    return td.weights()[0];
  };
  EXPECT_DOUBLE_EQ(learned(Schedule::constant), 1 - (1 - 1.0 / 2) * (1 - 1.0 / 2) * (1 - 1.0 / 2));
  EXPECT_DOUBLE_EQ(learned(Schedule::boyan), 1 - (1 - 1.0 / 2) * (1 - 1.0 / 3) * (1 - 1.0 / 4));
  EXPECT_DOUBLE_EQ(learned(Schedule::harmonic), 1 - (1 - 1.0 / 2) * (1 - 1.0 / 4) * (1 - 1.0 / 6));
}

TEST(TD, TraceIsTheFeaturesWhenLambdaIsZero) {
  // Two states and a reward for the second alone: without a trace the first learns nothing of it.
  BatchBuffer buffer(Layout::binary, 3);
  for (std::uint32_t j = 0; j < 3; ++j) {
    buffer.x().add(j);
    buffer.x().end_row();
  }
  buffer.add({.reward = 0, .discount = 1});
  buffer.add({.reward = 1, .discount = 1});
  TD without(3, {.alpha = 0.5, .lambda = 0});
  TD with(3, {.alpha = 0.5, .lambda = 0.5});
  without.learn(buffer.view());
  with.learn(buffer.view());
  EXPECT_EQ(without.weights(), (std::vector<double>{0, 0.5, 0}));
  EXPECT_EQ(with.weights(), (std::vector<double>{0.25, 0.5, 0}));
}

TEST(TD, ReplacingTraceSetsActiveBinaryFeaturesToOne) {
  // Two steps in the same state with discount 1: an accumulating trace would be 2, a replacing one is 1.
  BatchBuffer buffer(Layout::binary, 1);
  for (int i = 0; i < 3; ++i) {
    buffer.x().add(0);
    buffer.x().end_row();
  }
  buffer.add({.reward = 0, .discount = 1});
  buffer.add({.reward = 1, .discount = 0});
  TD replacing(1, {.alpha = 0.5, .lambda = 1, .trace = TraceKind::replacing});
  TD accumulating(1, {.alpha = 0.5, .lambda = 1});
  replacing.learn(buffer.view());
  accumulating.learn(buffer.view());
  EXPECT_EQ(replacing.weights()[0], 0.5);
  EXPECT_EQ(accumulating.weights()[0], 1.0);
}

TEST(TD, KeepsItsWeightsWhenNumbersThatAreNotFiniteArriveWithSparseFeatures) {
  const auto experience = Experience{.steps = 100, .off_policy = true}.as(Layout::sparse);
  const Batch batch = experience.view();
  for (const double bad : {infinity, std::nan("")}) {
    TD td(8, {.alpha = 0.01, .lambda = 0.9});
    td.learn(batch.slice(0, 99));
    const auto before = td.weights();
    Batch last = batch.slice(99, 1);
    last.rho = &bad;
    td.learn(last);
    EXPECT_EQ(td.diverged_at(), 99U);
    EXPECT_EQ(td.weights(), before);
  }
}

}  // namespace
}  // namespace bellwether
