// What a model says about values, and where it says nothing.
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>
#include <bellwether/model/learning/summary.h>
#include <bellwether/model/model.h>

#include "support/step_blocks.h"

namespace bellwether {
namespace {

Recipe three_states(const std::string& learner, const Settings& settings = {}) {
  Recipe made;
  made.dim = 3;
  made.layout = Layout::binary;
  made.learner = learner;
  made.settings = find_entry(learners(), "learner", learner).resolve(settings);
  made.targets = {{"reward", 1}};
  made.resamples = 4;
  return made;
}

/// Walks over three states, with the ratio of each state in every episode.
StepBlock walks_with_ratios(std::size_t episodes, const std::vector<double>& rho) {
  StepBlock block;
  block.clear(Layout::binary, 3, 1);
  for (std::size_t i = 0; i < episodes; ++i) {
    for (std::uint32_t s = 0; s < 3; ++s) {
      block.x.add(s);
      block.x.end_row();
      block.x_next.add(std::min(s + 1, 2U));
      block.x_next.end_row();
      block.rewards[0].push_back(1 + static_cast<double>(i % 3));
      block.discount.push_back(s < 2 ? 1 : 0);
      block.rho.push_back(rho[s]);
    }
  }
  return block;
}

void expect_none(const Model& model, const std::string& why) {
  const PolicyValue value = model.policy_value(0);
  EXPECT_FALSE(value.value) << *value.value;
  EXPECT_FALSE(value.half_width);
  EXPECT_EQ(value.why_none.rfind(why, 0), 0U) << value.why_none;
  const std::string text = text_of(summarise(model));
  EXPECT_NE(text.find("value of the policy: none, as " + value.why_none + "\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("+-"), std::string::npos) << text;
  const std::string json = json_of(summarise(model));
  EXPECT_NE(json.find("\"no_value\": \"" + why), std::string::npos) << json;
  EXPECT_EQ(json.find("\"value\":"), std::string::npos) << json;
}

TEST(Answers, WithoutASingleStepThatTheTargetPolicyTakesThereIsNoValue) {
  Model model(three_states("lstd"));
  model.learn(walks_with_ratios(50, {0, 0, 0}));
  expect_none(model, "every importance ratio is 0");
  EXPECT_EQ(model.why_no_values(0), model.policy_value(0).why_none);
}

TEST(Answers, StartsThatTheTargetPolicyNeverLeavesHaveNoValueButOtherStatesDo) {
  Model model(three_states("lstd"));
  model.learn(walks_with_ratios(50, {0, 1, 1}));
  expect_none(model, "no step from a start state counts");
  EXPECT_EQ(model.why_no_values(0), "");
}

TEST(Answers, RatiosThatLeaveOneStepAreNoSupport) {
  StepBlock steps = walks_with_ratios(50, {0, 0, 0});
  steps.rho[0] = 3;
  Model model(three_states("lstd"));
  model.learn(steps);
  expect_none(model, "the importance ratios leave 1 of 150 steps");
}

TEST(Answers, ALearnerThatDivergedHasNoValues) {
  Model model(three_states("td", {{"alpha", "3"}}));
  for (int i = 0; i < 100; ++i) model.learn(walks_with_ratios(50, {1, 1, 1}));
  ASSERT_TRUE(model.learner(0).diverged_at());
  expect_none(model, "the learner diverged at step ");
}

TEST(Answers, AValueFarBeyondWhatRewardsAllowIsNoValue) {
  Model model(three_states("td", {{"alpha", "3"}}));
  model.learn(walks_with_ratios(50, {1, 1, 1}));
  ASSERT_FALSE(model.learner(0).diverged_at());
  expect_none(model, "the learner found a value beyond what rewards allow");
}

TEST(Answers, WhereEveryEpisodeIsHeldOutThereIsNoValue) {
  Recipe recipe = three_states("lstd");
  recipe.holdout = 0.99;
  Model model(recipe);
  model.learn(walks_with_ratios(2, {1, 1, 1}));
  ASSERT_EQ(model.learner(0).steps(), 0U);
  expect_none(model, "every episode was held out");
}

TEST(Answers, WhereAHalfDivergedTheValueHasNoInterval) {
  // The first episode brings the weight to the reward, so that the error of the others is 0. A half without it has an
  // error, which ratios of 1e20 multiply.
  StepBlock steps;
  steps.clear(Layout::binary, 3, 1);
  for (int i = 0; i < 60; ++i) {
    steps.x.add(0);
    steps.x.end_row();
    steps.x_next.add(0);
    steps.x_next.end_row();
    steps.rewards[0].push_back(2);
    steps.discount.push_back(0);
    steps.rho.push_back(i == 0 ? 1 : 1e20);
  }
  Model model(three_states("td", {{"alpha", "1"}}));
  model.learn(steps);
  EXPECT_EQ(model.policy_value(0).value, 2.0);
  EXPECT_FALSE(model.policy_value(0).half_width);
  std::vector<double> widths(1);
  model.half_widths(0, steps.x.view().slice(0, 1), widths);
  EXPECT_TRUE(std::isnan(widths[0]));
  EXPECT_NE(text_of(summarise(model)).find("no interval for reward, as "), std::string::npos)
      << text_of(summarise(model));
}

TEST(Answers, AStateThatWasNeverSeenHasNoVisitsAndAWideInterval) {
  Recipe recipe = three_states("lstd", {{"inverse_init", "1e6"}});
  recipe.dim = 4;  // the last of which no state has
  StepBlock steps = walks_with_ratios(60, {1, 0.5, 3});
  StepBlock wider;
  wider.clear(Layout::binary, 4, 1);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    wider.x.append(steps.x.view().row(t));
    wider.x_next.append(steps.x_next.view().row(t));
  }
  wider.rewards = steps.rewards;
  wider.discount = steps.discount;
  wider.rho = steps.rho;
  Model model(recipe);
  model.learn(wider);
  RowBuffer rows(Layout::binary, 4);
  for (std::uint32_t s = 0; s < 4; ++s) {
    rows.add(s);
    rows.end_row();
  }
  std::vector<double> visits(4), widths(4), values(4);
  model.visits(rows.view(), visits);
  EXPECT_EQ(visits, (std::vector<double>{60, 30, 60, 0}));  // a step counts once at most
  model.half_widths(0, rows.view(), widths);
  model.predict(0, rows.view(), values);
  EXPECT_EQ(values[3], 0);
  // Twice the root mean square of the values of states visited.
  const double squares = 60 * values[0] * values[0] + 30 * values[1] * values[1] + 60 * values[2] * values[2];
  EXPECT_NEAR(widths[3], 2 * std::sqrt(squares / 150), 1e-9);
  EXPECT_LT(widths[0], widths[3] / 2);
}

TEST(Answers, VisitsAreNeverFewerThanTheLeverageAllows) {
  const StepBlock steps = testing::steps_of({.dim = 2, .steps = 40, .active = 2, .off_policy = true}, Layout::dense);
  Recipe recipe = three_states("td", {{"alpha", "0.001"}});
  recipe.dim = 2;
  recipe.layout = Layout::dense;
  Model model(recipe);
  model.learn(steps);
  double a = 0, b = 0, c = 0;  // N = (a b; b c)
  const FeatureRows x = steps.x.view();
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const DenseView row = x.as<DenseView>(t);
    const double counts = std::min(steps.rho[t], 1.0);
    a += counts * row.values[0] * row.values[0];
    b += counts * row.values[0] * row.values[1];
    c += counts * row.values[1] * row.values[1];
  }
  std::vector<double> visits(steps.size());
  model.visits(x, visits);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const double u = x.as<DenseView>(t).values[0], v = x.as<DenseView>(t).values[1];
    const double leverage = (c * u * u - 2 * b * u * v + a * v * v) / (a * c - b * b);
    EXPECT_GE(visits[t] * leverage, 1 - 1e-9) << t;
    EXPECT_NEAR(visits[t], std::min(u != 0 ? a / (u * u) : infinity, v != 0 ? c / (v * v) : infinity),
                1e-9 * visits[t]);
  }
}

TEST(Answers, StartStatesWithoutAStepThatCountsWidenTheIntervalOfThePolicy) {
  const auto half_width = [](double rho_of_odd_starts) {
    StepBlock two_starts;
    two_starts.clear(Layout::binary, 3, 1);
    for (std::size_t i = 0; i < 60; ++i) {
      // Half of the episodes start in state 1, and go to state 2 from there; the others start in state 0.
      const auto first = static_cast<std::uint32_t>(i % 2);
      for (const std::uint32_t s : {first, 2U}) {
        two_starts.x.add(s);
        two_starts.x.end_row();
        two_starts.x_next.add(2);
        two_starts.x_next.end_row();
        two_starts.rewards[0].push_back(1 + static_cast<double>(i % 3));
        two_starts.discount.push_back(s < 2 ? 1 : 0);
        two_starts.rho.push_back(s == 1 ? rho_of_odd_starts : 1);
      }
    }
    Model model(three_states("lstd", {{"inverse_init", "1e6"}}));
    model.learn(two_starts);
    return *model.policy_value(0).half_width;
  };
  EXPECT_GT(half_width(0), half_width(1) + 1);  // values are about 4, and half of the starts are not known
}

/// Episodes of one step from the same state, with these rewards.
StepBlock single_steps(const std::vector<double>& rewards) {
  StepBlock steps;
  steps.clear(Layout::binary, 3, 1);
  for (const double reward : rewards) {
    steps.x.add(0);
    steps.x.end_row();
    steps.x_next.add(0);
    steps.x_next.end_row();
    steps.rewards[0].push_back(reward);
    steps.discount.push_back(0);
  }
  return steps;
}

TEST(Answers, AnIntervalIsAsWideAsTheBiasThatARidgeCauses) {
  // The value is 20 / (20 + 10), the truth 1. Halves differ little from one another, but all are lower still.
  Model model(three_states("lstd", {{"inverse_init", "0.1"}}));
  model.learn(single_steps(std::vector<double>(20, 1.0)));
  const StepBlock state = single_steps({1});
  std::vector<double> value(1), width(1);
  model.predict(0, state.x.view(), value);
  model.half_widths(0, state.x.view(), width);
  EXPECT_NEAR(value[0], 2.0 / 3, 1e-9);
  EXPECT_GT(value[0] + width[0], 1);
  // The returns do not know the ridge.
  EXPECT_NEAR(model.policy_value(0).learned, 2.0 / 3, 1e-9);
  EXPECT_EQ(*model.policy_value(0).value, 1);
}

TEST(Answers, NoValueAndNoIntervalReachBeyondWhatRewardsAllow) {
  Recipe recipe = three_states("lstd", {{"inverse_init", "1e6"}});
  recipe.targets[0].discount = 0.5;
  recipe.ends_only = true;
  const auto learned = [&](const std::vector<double>& rewards) {
    Model model(recipe);
    model.learn(single_steps(rewards));
    return model;
  };
  const Model positive = learned({0, 0, 0, 0, 0, 1, 0, 0});
  EXPECT_EQ(positive.possible_values(0).low, 0);
  EXPECT_EQ(positive.possible_values(0).high, 2);
  const PolicyValue found = positive.policy_value(0);
  // Rewards of one sign: both ends satisfy (end - v)^2 = half_width^2 end / v.
  const double v = *found.value, half = *found.half_width;
  EXPECT_GT(half, v);
  EXPECT_GT(*found.low, 0);
  EXPECT_NEAR((*found.low - v) * (*found.low - v), half * half * *found.low / v, 1e-12);
  EXPECT_LE(*found.high, 2);
  EXPECT_GT(*found.high, v + half);
  const PolicyValue wide = learned({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}).policy_value(0);
  EXPECT_LE(*wide.high, 2);
  const Model both = learned({-3, 1, 1, 1});
  EXPECT_EQ(both.possible_values(0).low, -6);
  EXPECT_EQ(both.possible_values(0).high, 2);
  recipe.targets[0].discount = 1;
  EXPECT_EQ(learned({-3, -1}).possible_values(0).low, -infinity);
  EXPECT_EQ(learned({-3, -1}).possible_values(0).high, 0);
}

TEST(Answers, AValueSomewhatBeyondWhatRewardsAllowIsCutAndSaysSo) {
  // The step size overshoots: 1 - (1 - 1.9)^n is 1.9 after one step and 1.73 after three.
  Recipe recipe = three_states("td", {{"alpha", "1.9"}});
  recipe.targets[0].discount = 0;
  Model model(recipe);
  model.learn(single_steps({1, 1, 1}));
  const PolicyValue found = model.policy_value(0);
  EXPECT_NEAR(model.learner(0).weights()[0], 1.729, 1e-9);
  EXPECT_EQ(*found.value, 1);
  EXPECT_NEAR(found.learned, 1.729, 1e-9);
  EXPECT_TRUE(found.beyond);
  EXPECT_NE(text_of(summarise(model)).find("beyond what its rewards allow, and is not used as it is"),
            std::string::npos);
}

}  // namespace
}  // namespace bellwether
