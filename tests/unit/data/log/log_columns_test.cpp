#include <bellwether/data/log/log_columns.h>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;
using Names = std::vector<std::string>;

TEST(LogColumnsTest, UsualNamesAreFound) {
  const LogColumns found = find_columns(
      {}, {"observations.0", "observations.1", "rewards", "terminations", "truncations", "episode", "actions"}, "log");
  EXPECT_EQ(found.state, (std::vector<std::string>{"observations.0", "observations.1"}));
  EXPECT_EQ(found.reward, std::vector<std::string>{"rewards"});
  EXPECT_EQ(found.terminated, "terminations");
  EXPECT_EQ(found.truncated, "truncations");
  EXPECT_EQ(found.episode, "episode");
  EXPECT_TRUE(found.next.empty());
}

TEST(LogColumnsTest, TablesMayBeVeryWide) {
  constexpr std::size_t width = 100'000;
  Names columns{"reward", "done"}, state, next;
  for (std::size_t i = 0; i < width; ++i) state.push_back("x." + std::to_string(i));
  for (std::size_t i = 0; i < width; ++i) next.push_back("next_x." + std::to_string(i));
  columns.insert(columns.end(), state.begin(), state.end());
  columns.insert(columns.end(), next.begin(), next.end());
  const LogColumns found = find_columns({}, columns, "log");
  EXPECT_EQ(found.state, state);
  EXPECT_EQ(found.next, next);
  EXPECT_EQ(unused(found, columns), Names{});
  LogColumns given;
  given.state = state;
  EXPECT_EQ(find_columns(given, columns, "log").next, next);
}

TEST(LogColumnsTest, MessagesListTwentyColumns) {
  Names columns{"reward"};
  for (std::size_t i = 0; i < 50; ++i) columns.push_back("c" + std::to_string(i));
  const std::string message = rejection([&] { find_columns({}, columns, "log"); });
  EXPECT_TRUE(message.ends_with(", c17, c18 and 31 more)")) << message;
}

TEST(LogColumnsTest, ColumnsWithANextOneAreTheState) {
  const LogColumns found = find_columns({}, {"speed", "action", "reward", "next_speed"}, "log");
  EXPECT_EQ(found.state, std::vector<std::string>{"speed"});
  EXPECT_EQ(found.next, std::vector<std::string>{"next_speed"});
}

TEST(LogColumnsTest, SeveralNextColumnsAreTheStateWhateverTheOthersAreCalled) {
  const auto found = [](const Names& columns, const LogColumns& given = {}) {
    return find_columns(given, columns, "log");
  };
  EXPECT_EQ(found({"x", "y", "reward", "done", "next_x", "next_y"}).state, (Names{"x", "y"}));
  EXPECT_EQ(found({"x", "speed", "angle", "reward", "done", "next_speed", "next_angle"}).state,
            (Names{"speed", "angle"}));
  EXPECT_EQ(found({"x", "y", "reward", "done", "next_x"}).state, Names{"x"});
  EXPECT_EQ(found({"obs.1", "obs.0", "reward", "next_obs.0", "next_obs.1"}).state, (Names{"obs.0", "obs.1"}));
}

TEST(LogColumnsTest, ActionsRewardsAndFlagsWithANextOneAreNotTheState) {
  const LogColumns found = find_columns(
      {.reward = {"gain"}},
      {"s", "action", "gain", "reward", "done", "next_s", "next_action", "next_gain", "next_reward", "next_done"},
      "log");
  EXPECT_EQ(found.state, Names{"s"});
  EXPECT_EQ(found.next, Names{"next_s"});
}

TEST(LogColumnsTest, AColumnHasOneRole) {
  const auto refused = [](const LogColumns& given, const Names& columns = {"s0", "s1", "reward", "done"}) {
    return rejection([&] { find_columns(given, columns, "log"); });
  };
  EXPECT_EQ(refused({.state = {"s0", "s0"}}), "log: column 's0' is named twice in `state`");
  EXPECT_EQ(refused({.state = {"s0", "reward"}}),
            "log: column 'reward' is both the state and the reward: `reward=NAME` names another");
  EXPECT_EQ(refused({.state = {"s0", "done"}}),
            "log: column 'done' is both the state and done: `done=none`, if it is not");
  EXPECT_EQ(refused({.state = {"s0"}, .reward = {"s1", "s1"}}), "log: column 's1' is named twice in `reward`");
  EXPECT_EQ(refused({.state = {"s0"}, .next = {"s0"}}),
            "log: column 's0' is both the state and the next state: `next=NAME` names another");
  EXPECT_EQ(refused({.state = {"s0", "target"}}, {"s0", "target", "reward", "done"}), "accepted")
      << "where it is not a probability";
  EXPECT_EQ(refused({.state = {"s0", "done"}, .done = "none"}), "accepted");
  EXPECT_EQ(refused({.state = {"s0"}, .rho = "done"}),
            "log: column 'done' is both done and rho: `done=none` or `rho=none`");
  EXPECT_EQ(refused({.state = {"s0"}, .done = "discount"}, {"s0", "reward", "discount"}),
            "log: column 'discount' is both discount and done: `discount=none` or `done=none`");
  EXPECT_EQ(refused({.state = {"s0"}, .terminated = "done"}), "accepted") << "it says more than the usual name";
  EXPECT_EQ(refused({.state = {"t"}, .time = "t"}, {"t", "reward", "done", "episode"}), "accepted");
}

TEST(LogColumnsTest, ThatComeFromElsewhereFitOneAnother) {
  const LogColumns good = find_columns({}, {"x.0", "x.1", "next_x.0", "next_x.1", "reward", "done"}, "log");
  const auto objection = [&](auto&& change) {
    LogColumns columns = good;
    change(columns);
    return rejection([&] { check_columns(columns, "m.bw"); });
  };
  EXPECT_EQ(objection([](LogColumns&) {}), "accepted");
  EXPECT_EQ(objection([](LogColumns& c) { c.next.pop_back(); }), "m.bw: the state has 2 columns, the next state 1");
  EXPECT_EQ(objection([](LogColumns& c) { c.behaviour = "mu"; }),
            "m.bw: there is 'mu' but not the other probability; ratios need both `target` and `behaviour`");
  EXPECT_EQ(objection([](LogColumns& c) { c.state[1] = "x.0"; }), "m.bw: column 'x.0' is named twice in `state`");
  EXPECT_EQ(objection([](LogColumns& c) { c.next = c.state; }),
            "m.bw: column 'x.0' is both the state and the next state: `next=NAME` names another");
  EXPECT_EQ(objection([](LogColumns& c) { c.reward[0] = "r\xff"; }),
            "m.bw: the name of column 'r\xc3\xbf' is not UTF-8, so that no model can keep it");
}

TEST(LogColumnsTest, WhatIsGivenMustBeThere) {
  EXPECT_EQ(rejection([] {
              find_columns({.state = {"sped"}}, {"speed", "reward"}, "log");
            }),
            "log: there is no column 'sped'; did you mean 'speed'? (columns: speed, reward)");
  EXPECT_EQ(rejection([] {
              find_columns({.done = "end"}, {"x", "reward"}, "log");
            }),
            "log: there is no column 'end' (columns: x, reward)");
  EXPECT_EQ(rejection([] {
              find_columns({}, {"a", "reward"}, "log");
            }),
            "log: which columns are the state? Say so with `state=a,b,...` (columns: a, reward)");
}

}  // namespace
}  // namespace bellwether
