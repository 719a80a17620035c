#include <bellwether/model/judgement.h>

#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/domains/domains.h>
#include <bellwether/learners/learners.h>
#include <bellwether/linalg/simd/values.h>
#include <bellwether/metrics/bellman_error.h>
#include <bellwether/metrics/sampled_bellman.h>
#include <bellwether/model/episodes.h>

#include "support/step_blocks.h"

namespace bellwether {
namespace {

std::vector<double> values(const Exact& exact, const std::vector<double>& w) {
  std::vector<double> v(exact.rows().rows());
  values_of(exact.rows().view(), w, v);
  return v;
}

/// Two states with a feature each: 0 -> 1 -> end, rewards 1 and 3, discount .5.
StepBlock two_states(std::size_t episodes, double noise = 0) {
  Rng rng(1);
  StepBlock block;
  block.clear(Layout::dense, 2, 1);
  for (std::size_t i = 0; i < episodes; ++i) {
    for (std::size_t s = 0; s < 2; ++s) {
      block.x.add_dense()[s] = 1;
      block.x_next.add_dense()[1] = 1;
      block.rewards[0].push_back((s == 0 ? 1 : 3) + noise * rng.normal());
      block.discount.push_back(s == 0 ? 0.5 : 0);
    }
  }
  return block;
}

TEST(Judgement, ErrorsAreThoseOfTheDefinitions) {
  const StepBlock steps = two_states(30);
  const std::vector<double> w{1, 2};  // the truth is 2.5, 3
  const Judgement found = judge(steps.view(0), w, 0);
  // delta = 1 + .5 * 2 - 1 = 1 and 3 - 2 = 1
  EXPECT_DOUBLE_EQ(found.td_error, 1);
  // Features represent everything: the projected error is the Bellman error, but for the ridge of 2 features / 60
  // steps.
  EXPECT_NEAR(*found.projected, std::sqrt(1 / (1 + 2.0 / 60)), 1e-3);
  EXPECT_EQ(found.steps, 60U);
  EXPECT_EQ(found.returns, 60U);
  EXPECT_DOUBLE_EQ(found.mean_return, (2.5 + 3) / 2);
  EXPECT_DOUBLE_EQ(found.mean_value, 1.5);
  EXPECT_DOUBLE_EQ(found.return_error, std::sqrt((1.5 * 1.5 + 1) / 2));
}

TEST(Judgement, ListsPredictionsAndReturnsOfEachEpisodeInOrder) {
  std::vector<PredictedReturn> returns(7);  // what was in it before is gone
  judge(two_states(3).view(0), std::vector<double>{1, 2}, 0, {}, &returns);
  ASSERT_EQ(returns.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(returns[i].value, i % 2 == 0 ? 1 : 2);
    EXPECT_EQ(returns[i].outcome, i % 2 == 0 ? 2.5 : 3);
    EXPECT_EQ(returns[i].episode == returns[0].episode, i < 2);
  }
}

TEST(Judgement, WithTracesTheErrorsAreThoseOfTheLambdaReturns) {
  // y_1 = 1, y_0 = 1 + .5 lambda y_1 = 1.4 with lambda = .8
  EXPECT_NEAR(*judge(two_states(30).view(0), std::vector<double>{1, 2}, 0.8).projected,
              std::sqrt((1.4 * 1.4 + 1) / 2 / (1 + 2.0 / 60)), 1e-3);
}

TEST(Judgement, TheProjectedErrorTendsToTheExactOneOfAChain) {
  const auto chain = make_domain("boyan_chain");
  const auto features = chain->features();
  const TransitionSample sample(*chain, *features, 300000, 1);
  StepBlock steps;
  steps.clear(features->layout(), features->dim(), 1);
  for (std::size_t t = 0; t < sample.size(); ++t) {
    steps.x.append(sample.states().row(t));
    steps.x_next.append(sample.states().row(t + 1));
    steps.rewards[0].push_back(sample.first().reward[t]);
    steps.discount.push_back(sample.first().discount[t]);
  }
  const Exact exact(*chain, *features);
  for (const double lambda : {0.0, 0.6}) {
    BellmanError mspbe = BellmanError::projected(exact, lambda);
    for (const double first : {0.0, -10.0}) {
      std::vector<double> w(features->dim(), -5);
      w[0] = first;
      const double expected = std::sqrt(mspbe.of(values(exact, w)));
      // 20,000 episodes: their lengths and ends deviate by under a percent.
      EXPECT_NEAR(*judge(steps.view(0), w, lambda).projected, expected, 0.01 * expected) << lambda << ' ' << first;
    }
  }
}

TEST(Judgement, AtTheTruthNoiseMakesATdErrorButNoProjectedError) {
  const Judgement found = judge(two_states(4000, 1).view(0), std::vector<double>{2.5, 3}, 0);
  EXPECT_NEAR(found.td_error, 1, 0.03);
  EXPECT_LT(*found.projected, 0.04);
}

TEST(Judgement, ReturnsAreKnownOnlyWhereTheEpisodeEndsAndTracesDoNotCrossACut) {
  StepBlock steps = two_states(2);
  steps.discount[1] = 0.5;  // the first episode is cut short behind its second step
  steps.restart = {0, 0, 1, 0};
  const Judgement found = judge(steps.view(0), std::vector<double>{0, 0}, 0.9);
  EXPECT_EQ(found.returns, 2U);
  EXPECT_DOUBLE_EQ(found.mean_return, (2.5 + 3) / 2);
}

TEST(Judgement, OffPolicyReturnsAreThoseOfTheTargetPolicy) {
  StepBlock steps = two_states(1);
  steps.rho = {2, 0.5};
  // G_1 = .5 * 3, G_0 = 2 (1 + .5 G_1)
  EXPECT_DOUBLE_EQ(judge(steps.view(0), std::vector<double>{0, 0}, 0).mean_return, (1.5 + 2 * 1.75) / 2);
}

TEST(Judgement, FewerStepsThanFeaturesSayNothingAboutTheProjectedError) {
  EXPECT_FALSE(
      judge(testing::part_of(two_states(1), 0, 1).view(0), std::vector<double>{0, 0}, 0).projected.has_value());
}

TEST(Judgement, FeaturesThatAreAlwaysZeroNeedNoSteps) {
  const StepBlock two = two_states(1);
  StepBlock more;  // the same with four features, two of which no state has
  more.clear(Layout::dense, 4, 1);
  for (std::size_t t = 0; t < 2; ++t) {
    more.x.add_dense()[t] = 1;
    more.x_next.add_dense()[1] = 1;
  }
  more.rewards = two.rewards;
  more.discount = two.discount;
  EXPECT_FALSE(judge(more.view(0), std::vector<double>{1, 2, 0, 0}, 0).projected);
  EXPECT_TRUE(judge(more.view(0), std::vector<double>{1, 2, 0, 0}, 0, 2).projected);
}

TEST(Judgement, TheProjectedErrorOfTheLeastSquaresSolutionIsZeroInSample) {
  const StepBlock steps = testing::steps_of({.dim = 8, .steps = 2000}, Layout::sparse);
  const auto lstd = make_learner("lstd", 8, {{"inverse_init", "1e6"}, {"lambda", "0.7"}});
  lstd->learn(steps.view(0));
  const auto w = lstd->weights();
  std::vector<double> off = w;
  for (double& v : off) v += 0.3;
  EXPECT_LT(*judge(steps.view(0), w, 0.7).projected, *judge(steps.view(0), off, 0.7).projected / 5);
}

TEST(Episodes, AreSplitAtEndsAndRestarts) {
  StepBlock steps = two_states(3);
  steps.restart.assign(6, 0);
  steps.restart[3] = 1;
  Episodes episodes(1);
  std::vector<std::size_t> lengths;
  for (const Segment& s : episodes.split(steps)) {
    EXPECT_TRUE(s.begins);
    lengths.push_back(s.count);
  }
  EXPECT_EQ(lengths, (std::vector<std::size_t>{2, 1, 1, 2}));
  EXPECT_EQ(episodes.begun(), 4U);
  EXPECT_EQ(episodes.ended(), 3U);
}

TEST(Episodes, WithoutEndsThereAreStretchesOfAThousandStepsAndMore) {
  StepBlock steps;
  steps.clear(Layout::dense, 1, 1);
  for (std::size_t i = 0; i < 200000; ++i) steps.discount.push_back(1);
  Episodes episodes(1);
  const auto& segments = episodes.split(steps);
  EXPECT_EQ(episodes.begun(), 1U);
  EXPECT_EQ(segments.front().count, 1000U);
  EXPECT_GT(segments[segments.size() - 2].count, 3500U);
  EXPECT_GT(segments.size(), 80U);
  EXPECT_LT(segments.size(), 130U);
}

TEST(Episodes, HalvesAndSharesAreAsLargeAsTheirNameSays) {
  const Episodes episodes(7);
  int first = 0, both = 0, share = 0;
  constexpr int units = 4000;
  for (std::uint64_t i = 0; i < units; ++i) {
    const std::uint64_t bits = episodes.halves(i);
    first += static_cast<int>(bits & 1U);
    both += static_cast<int>(bits & bits >> 1 & 1U);
    share += episodes.in_share(i, 0.1) ? 1 : 0;
  }
  EXPECT_NEAR(first, units / 2, 130);
  EXPECT_NEAR(both, units / 4, 110);
  EXPECT_NEAR(share, units / 10, 80);
}

}  // namespace
}  // namespace bellwether
