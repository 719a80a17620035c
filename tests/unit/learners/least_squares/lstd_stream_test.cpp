#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/least_squares/equations/value_scale.h>
#include <bellwether/learners/least_squares/lstd_stream.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;
using testing::max_size;

/// A walk over `states` states, one feature each, that ends at either side with reward 0 or 1: state i is worth
/// (i + 1) / (states + 1). From step `changes_at` on, the reward is at the other side.
BatchBuffer walk(std::size_t states, std::size_t steps, std::uint64_t seed, double feature = 1,
                 std::size_t changes_at = std::numeric_limits<std::size_t>::max()) {
  BatchBuffer buffer(Layout::sparse, states);
  Rng rng(seed);
  std::size_t at = states / 2;
  const auto show = [&] {
    buffer.x().add(static_cast<std::uint32_t>(at), feature);
    buffer.x().end_row();
  };
  show();
  for (std::size_t t = 0; t < steps; ++t) {
    const bool right = rng.below(2) == 1;
    const bool ends = right ? at + 1 == states : at == 0;
    const bool rewarded = right == (t < changes_at);
    buffer.add({.reward = ends && rewarded ? 1.0 : 0.0, .discount = ends ? 0.0 : 1.0});
    at = ends ? states / 2 : right ? at + 1 : at - 1;
    show();
  }
  return buffer;
}

double walk_error(const std::vector<double>& w, double feature = 1) {
  double worst = 0;
  const auto n = static_cast<double>(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    worst = std::max(worst, std::abs(feature * w[i] - (static_cast<double>(i) + 1) / (n + 1)));
  }
  return worst;
}

TEST(LSTDStream, FindsTheValuesOfAWalk) {
  LSTDStream learner(19, {});
  learner.learn(walk(19, 200000, 1).view());
  EXPECT_LE(walk_error(learner.weights()), 0.03);
}

TEST(LSTDStream, FindsThemFromStoredStepsToo) {
  LSTDStream learner(19, {.storage = Storage::steps});
  learner.learn(walk(19, 100000, 1).view());
  EXPECT_LE(walk_error(learner.weights()), 0.05);
}

TEST(LSTDStream, SumsItsStepsOnceThatIsCheaper) {
  constexpr std::size_t states = 300;
  const BatchBuffer steps = walk(states, 60000, 1);
  const auto part = [&](std::size_t from, std::size_t to) { return steps.view().slice(from, to - from); };
  LSTDStream learner(states, {});
  LSTDStream stores(states, {.storage = Storage::steps});
  LSTDStream sums(states, {.storage = Storage::matrix});
  for (LSTDStream* each : {&learner, &stores}) each->learn(part(0, 20000));
  EXPECT_EQ(learner.weights(), stores.weights()) << "a pass over 20,000 steps is short yet";
  const std::string stored = learner.save();
  learner.learn(part(20000, 60000));
  sums.learn(steps.view());
  EXPECT_LT(learner.save().size(), 1.1 * static_cast<double>(sums.save().size())) << "the steps are gone";
  EXPECT_LE(max_difference(learner.weights(), sums.weights()), 0.1);

  // Saved before or after, it goes on alike.
  LSTDStream later(states, {});
  later.load(learner.save());
  EXPECT_EQ(later.save(), learner.save());
  LSTDStream earlier(states, {});
  earlier.load(stored);
  earlier.learn(part(20000, 60000));
  EXPECT_EQ(earlier.weights(), learner.weights());
}

TEST(LSTDStream, TreatsFeaturesOfEveryScaleAlike) {
  for (const double feature : {1e-3, 64.0}) {
    LSTDStream plain(19, {});
    LSTDStream scaled(19, {});
    plain.learn(walk(19, 5000, 2).view());
    scaled.learn(walk(19, 5000, 2, feature).view());
    std::vector<double> w = scaled.weights();
    for (double& each : w) each *= feature;
    EXPECT_LE(max_difference(w, plain.weights()), 1e-6);
  }
}

/// The walk with ratios of a policy that goes right with probability p.
BatchBuffer other_walk(std::size_t states, std::size_t steps, std::uint64_t seed, double p) {
  BatchBuffer buffer(Layout::binary, states);
  Rng rng(seed);
  std::size_t at = states / 2;
  const auto show = [&] {
    buffer.x().add(static_cast<std::uint32_t>(at));
    buffer.x().end_row();
  };
  show();
  for (std::size_t t = 0; t < steps; ++t) {
    const bool right = rng.below(2) == 1;
    const bool ends = right ? at + 1 == states : at == 0;
    buffer.add({.reward = ends && right ? 1.0 : 0.0, .discount = ends ? 0.0 : 1.0, .rho = right ? 2 * p : 2 * (1 - p)});
    at = ends ? states / 2 : right ? at + 1 : at - 1;
    show();
  }
  return buffer;
}

TEST(LSTDStream, FindsTheValuesOfAnotherPolicy) {
  // The gambler's ruin: with odds q = (1 - p) / p, state i is worth (1 - q^(i+1)) / (1 - q^(n+1)).
  const double p = 0.6;
  const double q = (1 - p) / p;
  for (const Storage storage : {Storage::matrix, Storage::steps}) {
    LSTDStream learner(9, {.storage = storage});
    learner.learn(other_walk(9, 100000, 4, p).view());
    const std::vector<double> w = learner.weights();
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(w[i], (1 - std::pow(q, static_cast<double>(i + 1))) / (1 - std::pow(q, 10)), 0.05);
    }
  }
}

TEST(LSTDStream, StaysNearZeroWhereRewardsAreNoise) {
  BatchBuffer steps(Layout::binary, 400);
  Rng rng(3);
  const auto show = [&] {
    for (std::uint32_t k = 0; k < 5; ++k) steps.x().add(80 * k + static_cast<std::uint32_t>(rng.below(80)));
    steps.x().end_row();
  };
  show();
  for (int t = 0; t < 4000; ++t) {
    steps.add({.reward = rng.uniform() - 0.5, .discount = 0.9});
    show();
  }
  LSTDStream learner(400, {});
  learner.learn(steps.view());
  double square = 0;
  std::vector<double> values(steps.size());
  learner.predict(steps.view().x, values);
  for (const double v : values) square += v * v;
  // The rewards' deviation is 0.29; without damping values are several times that.
  EXPECT_LE(std::sqrt(square / static_cast<double>(values.size())), 0.29);
}

TEST(LSTDStream, RenewsItsWeightsAfterATwentiethMoreSteps) {
  LSTDStream learner(19, {});
  const BatchBuffer steps = walk(19, 3000, 1);
  std::vector<double> last = learner.weights();
  std::size_t renewed = 0;
  for (std::size_t t = 0; t < 3000; ++t) {
    learner.learn(steps.view().slice(t, 1));
    const std::vector<double> now = learner.weights();
    if (now == last) continue;
    if (renewed > 400) {
      EXPECT_EQ(t + 1 - renewed, renewed / 20);
    }
    renewed = t + 1;
    last = now;
  }
  EXPECT_GT(renewed, 2800U);
}

TEST(LSTDStream, GoesOnWhenMemoryIsFull) {
  // 20,000 of the 200,000 steps fit.
  LSTDStream learner(19, {.storage = Storage::steps, .capacity = 200000});
  learner.learn(walk(19, 200000, 1).view());
  EXPECT_LE(walk_error(learner.weights()), 0.15);
  std::uint64_t dropped = 0;
  for (const auto& [name, value] : learner.findings()) {
    if (name == "transitions_dropped") dropped = std::stoull(value);
  }
  EXPECT_GT(dropped, 170000U);
  EXPECT_LT(dropped, 195000U);
}

TEST(LSTDStream, RecoversFromAHiddenChangeIfItForgets) {
  constexpr std::size_t half = 50000;
  const BatchBuffer steps = walk(9, 2 * half, 6, 1, half);
  for (const Storage storage : {Storage::matrix, Storage::steps}) {
    const auto error_after_change = [&](double half_life, std::size_t first) {
      LSTDStream learner(9, {.storage = storage, .half_life = half_life});
      learner.learn(steps.view().slice(first, 2 * half - first));
      std::vector<double> w = learner.weights();
      std::reverse(w.begin(), w.end());
      return walk_error(w);
    };
    const double of_second_half = error_after_change(infinity, half);
    EXPECT_LE(of_second_half, 0.03);
    EXPECT_LE(error_after_change(5000, 0), of_second_half + 0.03);
    EXPECT_GE(error_after_change(infinity, 0), 0.3);
  }
}

TEST(LSTDStream, RenewsItsWeightsAfterATenthOfItsHalfLifeAtTheLatest) {
  LSTDStream learner(19, {.half_life = 500});
  const BatchBuffer steps = walk(19, 3000, 1);
  std::vector<double> last = learner.weights();
  std::size_t renewed = 0;
  for (std::size_t t = 0; t < 3000; ++t) {
    learner.learn(steps.view().slice(t, 1));
    const std::vector<double> now = learner.weights();
    if (now == last) continue;
    if (renewed > 1000) {
      EXPECT_EQ(t + 1 - renewed, 50U);
    }
    renewed = t + 1;
    last = now;
  }
  EXPECT_GT(renewed, 2900U);
}

TEST(LSTDStream, SpreadsItsWork) {
  LSTDStream learner(19, {.spread = true});
  const BatchBuffer steps = walk(19, 100000, 1);
  learner.learn(steps.view());
  EXPECT_LE(walk_error(learner.weights()), 0.05);
  EXPECT_THROW(LSTDStream(19, {.storage = Storage::matrix, .spread = true}), InvalidArgument);
}

TEST(LSTDStream, BeginsARenewalWhenItWouldAndChangesWeightsWhenItIsDone) {
  // Until the first renewal is done both have the weights that they started from, and so the same damping.
  const BatchBuffer steps = walk(3, 40, 3);
  LSTDStream burst(3, {.storage = Storage::steps});
  LSTDStream spread(3, {.spread = true});
  burst.learn(steps.view().slice(0, 8));
  spread.learn(steps.view().slice(0, 8));
  const std::vector<double> solution = burst.weights();
  const std::vector<double> start(3, 0.0);
  EXPECT_NE(solution, start);
  EXPECT_EQ(spread.weights(), start);
  std::size_t t = 8;
  while (t < 16 && spread.weights() == start) spread.learn(steps.view().slice(t++, 1));
  EXPECT_EQ(spread.weights(), solution);
}

TEST(ValueScale, AveragesErrorsReturnsAndFeatures) {
  ValueScale scale;
  // Two steps of an episode that goes on with value 5, then another that ends.
  scale.add(false, 1, 0.5, 2, 3, 4, 16);  // error 1 + 1.5 - 2 = 0.5, return 1 + 0.5 * 3.5
  scale.add(true, 1, 0.5, 3, 5, 4, 8);    // error 1 + 2.5 - 3 = 0.5, return 1 + 0.5 * 5
  scale.add(false, 2, 0, 1, 0, 1, 1);     // error 1, return 2
  scale.end_stretch();
  EXPECT_DOUBLE_EQ(scale.noise(), (0.25 + 0.25 + 1) / 3);
  EXPECT_DOUBLE_EQ(scale.returns(), (2.75 * 2.75 + 3.5 * 3.5 + 4) / 3);
  EXPECT_DOUBLE_EQ(scale.features(), 3);
  EXPECT_DOUBLE_EQ(scale.feature(), 25.0 / 9);
  EXPECT_DOUBLE_EQ(scale.damping(0.15), 3e-3);
  scale.add(false, 2, 0, 1, 0, 1, 1);
  scale.end_stretch();
  EXPECT_DOUBLE_EQ(scale.noise(), (0.9 * 0.5 + 1) / 1.9);
  EXPECT_DOUBLE_EQ(scale.damping(0.15), 0.15 * scale.features() * scale.noise() / scale.returns());
}

TEST(ValueScale, InPartsIsTheSameButForReturnsThatGoOnAcrossParts) {
  ValueScale whole;
  ValueScale parts(true);
  Rng rng(7);
  for (int stretch = 0; stretch < 3; ++stretch) {
    for (int t = 0; t < 1000; ++t) {
      // Episodes of two steps, so that none goes on from one part to the next.
      const double reward = rng.uniform();
      for (ValueScale* each : {&whole, &parts}) each->add(t % 2 == 1, reward, t % 2 == 1 ? 0 : 0.9, 1, 2, 3, 4);
    }
    whole.end_stretch();
    parts.end_stretch();
    EXPECT_NEAR(whole.noise(), parts.noise(), 1e-13);
    EXPECT_NEAR(whole.returns(), parts.returns(), 1e-13);
    EXPECT_NEAR(whole.features(), parts.features(), 1e-13);
  }
}

}  // namespace
}  // namespace bellwether
