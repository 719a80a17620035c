#include <bellwether/model/learning/feature_choice.h>

#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/features/feature_maps.h>

namespace bellwether {
namespace {

constexpr std::size_t variables = 6;

std::vector<Variable> ranges(std::size_t count) {
  std::vector<Variable> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({.name = "s" + std::to_string(i), .low = -6, .high = 6});
  return all;
}

/// Episodes of thirty steps, of which every other one is cut short. Each variable keeps nine tenths of its value and
/// gets noise; the reward is a product of two of them, so that a sum of functions of single variables knows nothing.
StepBlock products(std::size_t episodes) {
  Rng rng(3);
  const auto noise = [&] { return rng.uniform() + rng.uniform() + rng.uniform() - 1.5; };
  StepBlock steps;
  steps.clear(Layout::dense, variables, 1);
  for (std::size_t e = 0; e < episodes; ++e) {
    std::vector<double> state(variables);
    for (double& s : state) s = 3 * noise();
    for (int t = 0; t < 30; ++t) {
      std::vector<double> next(variables);
      for (std::size_t i = 0; i < variables; ++i) next[i] = 0.9 * state[i] + noise();
      steps.x.append(DenseView{state.data(), variables});
      steps.x_next.append(DenseView{next.data(), variables});
      steps.rewards[0].push_back(state[1] * state[2] + 0.1 * noise());
      steps.discount.push_back(t == 29 && e % 2 == 0 ? 0 : 1);
      steps.restart.push_back(t == 0 ? static_cast<std::uint8_t>(Restart::episode) : 0);
      state = next;
    }
  }
  return steps;
}

TEST(FeatureChoice, CandidatesHaveRowsForTheirFeatures) {
  for (const std::size_t count : {3U, 6U, 17U, 60U}) {
    for (const std::uint64_t rows : {500U, 3000U, 20000U}) {
      for (const Default& candidate : candidate_features(ranges(count), Leaving::unseen, rows)) {
        const std::size_t dim = make_features(candidate.name, ranges(count))->dim();
        EXPECT_LE(5 * dim, rows) << candidate.name;
        EXPECT_LE(dim, 2001U) << candidate.name;
      }
    }
  }
  EXPECT_GE(candidate_features(ranges(6), Leaving::unseen, 20000).size(), 4U);
  EXPECT_TRUE(candidate_features(ranges(2), Leaving::unseen, 20000).empty());
  EXPECT_TRUE(candidate_features(ranges(501), Leaving::unseen, 1'000'000).empty());
}

TEST(FeatureChoice, ProductsAreFoundWhereTheRewardIsOne) {
  const Default usual = default_features(ranges(variables), Leaving::unseen, 6000);
  const auto candidates = candidate_features(ranges(variables), Leaving::unseen, 6000);
  const Default best = best_features(usual, candidates, ranges(variables), products(200), 0.9, 1);
  EXPECT_EQ(best.name, "polynomial(degree=2)");
  EXPECT_NE(best.why.find("better than"), std::string::npos) << best.why;
}

TEST(FeatureChoice, FewEpisodesDecideNothing) {
  const Default usual = default_features(ranges(variables), Leaving::unseen, 600);
  const auto candidates = candidate_features(ranges(variables), Leaving::unseen, 600);
  EXPECT_FALSE(candidates.empty());
  EXPECT_EQ(best_features(usual, candidates, ranges(variables), products(19), 0.9, 1).name, usual.name);
}

TEST(FeatureChoice, WhatIsNoBetterIsNotChosen) {
  StepBlock steps = products(100);
  for (double& reward : steps.rewards[0]) reward = 1;  // a constant: all candidates know it
  for (double& gamma : steps.discount) gamma = gamma > 0 ? 0.5 : 0;
  const Default usual{"tile_coding(tilings=2 tiles=4 groups=1 beyond=1) + bias", {}, "it is usual"};
  const std::vector<Default> candidates{{"tile_coding(tilings=2 tiles=4 groups=1 beyond=1) + bias", {}, ""}};
  const Default best = best_features(usual, candidates, ranges(variables), std::move(steps), {}, 1);
  EXPECT_EQ(best.name, usual.name);
  EXPECT_EQ(best.why.substr(0, 11), "it is usual");
}

}  // namespace
}  // namespace bellwether
