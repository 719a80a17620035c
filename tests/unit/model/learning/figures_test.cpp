#include <bellwether/model/learning/figures.h>

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/support/rng.h>
#include <bellwether/model/learning/learn.h>

#include "support/temporary_folder.h"

namespace bellwether {
namespace {

class Figures : public ::testing::Test {
 protected:
  LearnResult learned(const std::string& text, LearnRequest request = {.files = {}}) const {
    std::ofstream(folder_.path("log.csv")) << text;
    request.files = {folder_.path("log.csv")};
    request.figures = true;
    return learn(request);
  }

  /// Walks over five states to the right, with noisy rewards.
  static std::string walks(std::size_t episodes) {
    Rng rng(1);
    std::string text = "s,reward,done\n";
    for (std::size_t i = 0; i < episodes; ++i) {
      for (int s = 0; s < 5; ++s) text += fmt::format("{},{},{}\n", s, 1 + rng.normal(), s == 4 ? 1 : 0);
    }
    return text;
  }

  /// A drunkard in the plane, for ever; the reward is the height.
  static std::string drunkard(std::size_t steps) {
    Rng rng(2);
    std::string text = "east,north,reward\n";
    double east = 0, north = 0;
    for (std::size_t t = 0; t < steps; ++t) {
      east = 0.9 * east + rng.normal();
      north = 0.9 * north + rng.normal();
      text += fmt::format("{},{},{}\n", east, north, north);
    }
    return text;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Figures, AStateWithABinOfItsOwnHasTheValueAndIntervalOfTheModel) {
  const LearnResult result = learned(walks(400));
  const LearnFigures& figures = *result.figures;
  ASSERT_EQ(figures.variables.size(), 1U);
  const VariableBins& s = figures.variables[0];
  EXPECT_EQ(s.name, "s");
  EXPECT_TRUE(s.whole);
  ASSERT_EQ(s.bins.size(), 5U);
  RowBuffer rows(result.model.recipe().layout, result.model.recipe().dim);
  for (double state = 0; state < 5; ++state) result.model.map()->append(std::vector{state}, rows, Moment{});
  std::vector<double> values(5), widths(5);
  result.model.predict(0, rows.view(), values);
  result.model.half_widths(0, rows.view(), widths);
  for (std::size_t b = 0; b < 5; ++b) {
    EXPECT_EQ(s.bins[b].states, 400U);
    EXPECT_EQ(s.bins[b].low, static_cast<double>(b));
    EXPECT_NEAR(figures.targets[0].values[0][b]->value, values[b], 1e-9);
    EXPECT_NEAR(*figures.targets[0].values[0][b]->half_width, widths[b], 1e-9);
  }
}

TEST_F(Figures, TheMeanOverTheBinsOfAnyVariableIsTheMeanValueOfTheStates) {
  const LearnResult result =
      learned(drunkard(3000), {.files = {}, .columns = {.state = {"east", "north"}}, .discount = {"0.9"}});
  const LearnFigures& figures = *result.figures;
  ASSERT_EQ(figures.variables.size(), 2U);
  EXPECT_EQ(figures.states, 3000U);
  std::vector<double> means;
  for (std::size_t i = 0; i < 2; ++i) {
    const VariableBins& variable = figures.variables[i];
    EXPECT_FALSE(variable.whole);
    EXPECT_EQ(variable.bins.size(), 24U);
    EXPECT_EQ(variable.beyond, 0U);
    double sum = 0;
    std::size_t states = 0;
    for (std::size_t b = 0; b < variable.bins.size(); ++b) {
      const auto& value = figures.targets[0].values[i][b];
      EXPECT_EQ(value.has_value(), variable.bins[b].states > 0);
      states += variable.bins[b].states;
      if (value) sum += value->value * static_cast<double>(variable.bins[b].states);
    }
    EXPECT_EQ(states, 3000U);
    means.push_back(sum / static_cast<double>(states));
  }
  EXPECT_NEAR(means[0], means[1], 1e-9);
  // Without ends, the value of the policy is the mean over the states that steps start from: all but the last.
  EXPECT_NEAR(means[0], *result.summary.targets[0].value.value, 0.01);
}

TEST_F(Figures, OutliersAreCountedAndDoNotStretchTheBins) {
  const LearnResult result = learned(drunkard(3000) + "1e9,0,0\n0,0,0\n",
                                     {.files = {}, .columns = {.state = {"east", "north"}}, .discount = {"0.9"}});
  const VariableBins& east = result.figures->variables[0];
  EXPECT_EQ(east.beyond, 1U);
  EXPECT_LT(east.bins.back().high, 100);
}

TEST_F(Figures, PredictionsAreComparedWithReturns) {
  const LearnResult result = learned(walks(400));
  const PredictedReturns& returns = result.figures->targets[0].returns;
  EXPECT_GT(returns.steps, 500U);
  ASSERT_EQ(returns.groups.size(), 5U) << "there are five states";
  for (std::size_t g = 0; g < 5; ++g) {
    EXPECT_NEAR(returns.groups[g].mean_return, 1 + static_cast<double>(g), 3 * *returns.groups[g].half_width);
  }
}

TEST_F(Figures, TheValueOfThePolicyIsKnownOverTimeAndEndsAtTheAnswer) {
  const TargetSummary target = learned(walks(400), {.files = {}, .params = {.holdout = 0.2}}).summary.targets[0];
  ASSERT_FALSE(target.judgements.empty());
  EXPECT_EQ(target.judgements.back().after, target.steps);
  EXPECT_NEAR(*target.judgements.back().policy, *target.value.value, 1e-12);
}

TEST_F(Figures, AreMadeOnlyForThoseWhoAsk) {
  std::ofstream(folder_.path("log.csv")) << walks(10);
  EXPECT_FALSE(learn({.files = {folder_.path("log.csv")}}).figures);
}

TEST_F(Figures, WithoutResamplesThereAreValuesButNoIntervals) {
  const LearnResult result = learned(walks(50), {.files = {}, .params = {.resamples = 0}});
  EXPECT_FALSE(result.figures->targets[0].values[0][0]->half_width);
  const auto json = nlohmann::json::parse(json_of(*result.figures));
  EXPECT_TRUE(json["targets"][0]["values"][0]["half_width"][0].is_null());
  EXPECT_TRUE(json["targets"][0]["values"][0]["value"][0].is_number());
  EXPECT_EQ(json["variables"][0]["states"], (nlohmann::json{50, 50, 50, 50, 50}));
}

TEST_F(Figures, ATargetWithoutValuesHasNoneToShow) {
  const LearnResult result = learned("s,reward,done,rho\n0,1,0,0\n1,1,1,0\n0,1,0,0\n1,1,1,0\n");
  EXPECT_FALSE(result.summary.targets[0].value.value);
  EXPECT_TRUE(result.figures->targets[0].values.empty());
  EXPECT_EQ(result.figures->variables.size(), 1U);
}

TEST(Question, NamesTheRewardAndFromWhereItIsCollected) {
  TargetSummary target;
  target.reward = "reward";
  EXPECT_EQ(question_of(target), "How much reward will the policy collect from its start?");
  target.reward = "cost";
  target.discount = 0.99;
  target.value.of_starts = false;
  EXPECT_EQ(question_of(target),
            "How much cost will the policy collect from a state that it visits, at a discount of 0.99 a step?");
}

}  // namespace
}  // namespace bellwether
