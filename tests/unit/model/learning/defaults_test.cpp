#include <bellwether/model/learning/defaults.h>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>

#include "support/step_blocks.h"

namespace bellwether {
namespace {

using testing::steps_of;

std::string features_of(std::size_t variables, bool whole = false, Leaving leaving = Leaving::unseen) {
  return default_features(std::vector<Variable>(variables, Variable{"v", 0, 9, whole}), leaving).name;
}

TEST(Defaults, FeaturesDependOnTheNumberOfVariables) {
  EXPECT_EQ(features_of(1, true), "tabular(others=true)");
  EXPECT_EQ(features_of(1), "tile_coding(beyond=1) + bias");
  EXPECT_EQ(features_of(2, true), "tile_coding(beyond=1) + bias");
  EXPECT_EQ(features_of(6), "tile_coding(tilings=4 tiles=6 groups=1,2 beyond=1) + bias");
  EXPECT_EQ(features_of(500), "tile_coding(groups=1 beyond=1) + bias");
  EXPECT_EQ(features_of(2, true, Leaving::some), "tile_coding(beyond=6) + bias");
  EXPECT_EQ(features_of(3, true, Leaving::some), "tile_coding(tilings=4 tiles=6 groups=1,2 beyond=3) + bias");
  EXPECT_EQ(features_of(501), "polynomial(degree=1)");
}

TEST(Defaults, FeaturesAreAsManyAsTheRowsAreEnoughFor) {
  const auto chosen = [](std::size_t variables, std::uint64_t rows) {
    return default_features(std::vector<Variable>(variables, Variable{"v", 0, 9, false}), Leaving::unseen, rows);
  };
  EXPECT_EQ(chosen(4, 12880).name, "tile_coding(tilings=4 tiles=6 groups=1,2 beyond=1) + bias");  // 1288 features
  EXPECT_EQ(chosen(4, 12879).name, "tile_coding(groups=1 beyond=1) + bias");
  EXPECT_EQ(chosen(6, 20000).name, "tile_coding(groups=1 beyond=1) + bias");
  EXPECT_EQ(chosen(6, 155400).name, "tile_coding(tilings=4 tiles=6 groups=1,2 beyond=1) + bias") << "3108 features";
  EXPECT_EQ(chosen(6, 3000).name, "tile_coding(tilings=2 tiles=4 groups=1 beyond=1) + bias");
  EXPECT_EQ(chosen(60, 20000).name, "tile_coding(tilings=2 tiles=4 groups=1 beyond=1) + bias");
  EXPECT_EQ(chosen(60, 3000).name, "polynomial(degree=1)");
  EXPECT_EQ(chosen(60, 3000).why, "60 variables are many for 3,000 rows");
  EXPECT_EQ(chosen(2, 10).name, "tile_coding(beyond=1) + bias");
}

TEST(Defaults, TextHasCategoriesAndCrossesThatTheRowsAreEnoughFor) {
  const Variable day{.name = "day", .low = 0, .high = 2, .whole = true, .categories = {"a", "b"}};
  const Variable shop{.name = "the shop", .low = 0, .high = 3, .whole = true, .categories = {"a", "b", "c"}};
  const Variable warmth{.name = "warmth", .low = 0, .high = 1};
  const auto chosen = [](const std::vector<Variable>& variables, std::uint64_t rows) {
    return default_features(variables, Leaving::unseen, rows).name;
  };
  EXPECT_EQ(chosen({day}, 1000), "categorical + bias");
  EXPECT_EQ(chosen({day, shop}, 1000), "categorical + cross(day \"the shop\") + bias");
  EXPECT_EQ(chosen({day, shop}, 119), "categorical + bias") << "12 combinations";
  Variable user{.name = "user", .low = 0, .high = 300, .whole = true};
  for (int i = 0; i < 300; ++i) user.categories.push_back(std::to_string(i));
  EXPECT_EQ(chosen({user}, 1500), "categorical + bias");
  EXPECT_EQ(chosen({user}, 1499), "cross(user memory=74) + bias");
  EXPECT_EQ(chosen({user, day}, 1499), "categorical(day) + cross(user memory=74) + bias");
  EXPECT_EQ(chosen({warmth, day}, 1000), "categorical + cross(day warmth) + tile_coding(beyond=1) + bias");
  EXPECT_EQ(chosen({warmth, day, shop}, 250), "categorical + cross(day warmth) + tile_coding(beyond=1) + bias");
}

TEST(Defaults, LeastSquaresIsTheLearnerWhereItFits) {
  const StepBlock few = steps_of({.dim = 200, .steps = 5}, Layout::sparse);
  const StepBlock many = steps_of({.dim = 201, .steps = 5}, Layout::sparse);
  EXPECT_EQ(default_learner(few, {}).name, "lstd");
  EXPECT_EQ(default_learner(many, 2'000'000'000).name, "lstd_krylov");
  EXPECT_EQ(default_learner(many, 2'000'000'001).name, "atd_compensated");
  EXPECT_EQ(default_learner(many, {}).name, "atd_compensated");
}

TEST(Defaults, TheTraceDecaysInTheMeanSquareAsOnPolicyUnlessATableNeedsNone) {
  const auto decay = [](const StepBlock& steps) { return text_of({default_learner(steps, {}).settings[0]}); };
  StepBlock steps = steps_of({.dim = 5, .steps = 50}, Layout::dense);
  EXPECT_EQ(decay(steps), "lambda=0.9");
  steps.rho.assign(50, 1);
  EXPECT_EQ(decay(steps), "lambda=0.9");
  for (std::size_t t = 0; t < 50; ++t) steps.rho[t] = t % 2 == 0 ? 0 : 2;  // the mean square is 2
  EXPECT_EQ(decay(steps), "lambda=0.64");
  StepBlock table;
  table.clear(Layout::binary, 5, 1);
  for (std::uint32_t t = 0; t < 50; ++t) {
    table.x.add(t % 5);
    table.x.end_row();
  }
  EXPECT_EQ(decay(table), "lambda=0.9");
  table.rho = steps.rho;
  EXPECT_EQ(decay(table), "lambda=0");
}

TEST(Defaults, ThereAreIntervalsUnlessTheyTakeLong) {
  for (const LearnerEntry& learner : learners()) EXPECT_EQ(default_resamples(learner.name, 500, 1000), 20U);
  EXPECT_EQ(default_resamples("lstd", 501, {}), 0U);
  EXPECT_EQ(default_resamples("td", 501, {}), 20U);
  EXPECT_EQ(default_resamples("td", 100'001, {}), 0U);
  EXPECT_EQ(default_resamples("lstd_krylov", 500, {}), 0U) << "a stream";
  EXPECT_EQ(default_resamples("lstd_krylov", 500, 20'000'001), 0U);
  EXPECT_EQ(default_resamples("lstd_krylov", 500, 20'000'001, 50'000), 20U) << "few rows of many columns";
  EXPECT_EQ(default_resamples("lstd_krylov", 500, 20'000'001, 50'001), 0U);
}

}  // namespace
}  // namespace bellwether
