// Logs whose rows are not in the order of their episodes.
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "cli/program.h"

namespace bellwether::testing {
namespace {

using nlohmann::json;

/// A row of a log of random walks: from the middle of 0 .. 6 one step to the left or right, with reward -1, until an
/// end is reached. The value of the start is minus the mean length of a walk, 3 x 3.
struct Row {
  int env = 0, episode = 0, t = 0, state = 3, next = 3;
  bool terminated = false;
};
constexpr double truth = -9;
constexpr int environments = 8;

/// Eight environments that are logged in turn.
std::vector<Row> walks_in_turn(int steps) {
  std::mt19937 random(7);
  std::vector<Row> last(environments), all;
  int episodes = 0;
  for (int e = 0; e < environments; ++e) last[static_cast<std::size_t>(e)] = {.env = e, .episode = episodes++};
  for (int i = 0; i < steps; ++i) {
    for (Row& row : last) {
      row.state = row.next;
      row.next += random() % 2 == 0 ? 1 : -1;
      row.terminated = row.next == 0 || row.next == 6;
      all.push_back(row);
      ++row.t;
      if (row.terminated) row = {.env = row.env, .episode = episodes++};
    }
  }
  return all;
}

std::vector<Row> grouped(std::vector<Row> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.episode < b.episode; });
  return rows;
}

std::vector<Row> shuffled(std::vector<Row> rows) {
  std::mt19937 random(3);
  std::shuffle(rows.begin(), rows.end(), random);
  return rows;
}

class LearnOrder : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  /// A log with these columns.
  std::string write(const std::vector<Row>& rows, const std::string& columns) const {
    std::ofstream out(path("log.csv"));
    out << columns << '\n';
    for (const Row& row : rows) {
      std::istringstream names(columns);
      std::string name, line;
      while (std::getline(names, name, ',')) {
        const double number = name == "env"                                  ? row.env
                              : name == "episode" || name == "worker_serial" ? row.episode
                              : name == "t" || name == "clock"               ? row.t
                              : name == "state"                              ? row.state
                              : name == "next_state"                         ? row.next
                              : name == "terminated"                         ? row.terminated
                                                                             : -1;  // reward
        line += (line.empty() ? "" : ",") + std::to_string(static_cast<int>(number));
      }
      out << line << '\n';
    }
    return path("log.csv");
  }

  static json learn(const std::string& log, const std::string& options = "") {
    const auto done = bellwether("learn " + log + " --json " + options);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.code == 0 ? json::parse(done.out) : json();
  }
  static std::string refusal(const std::string& log, const std::string& options = "") {
    const auto done = bellwether("learn " + log + " " + options);
    EXPECT_EQ(done.code, 2) << done.out;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    return done.err;
  }
  static double value(const json& found) { return found["targets"][0]["value"]; }

  /// The value agrees with the truth, and is what the log gives when its rows are in order.
  void expect_as_if_in_order(const std::vector<Row>& rows, const std::string& columns,
                             const std::string& options = "") const {
    const json ordered = learn(write(grouped(rows), columns), options);
    const json found = learn(write(rows, columns), options);
    EXPECT_NEAR(value(found), truth, 2 * found["targets"][0]["half_width"].get<double>()) << columns;
    EXPECT_LT(found["targets"][0]["half_width"], 1) << columns;
    EXPECT_NEAR(value(found), value(ordered), 1e-9) << columns;
    EXPECT_EQ(found["episodes"], ordered["episodes"]) << columns;
    EXPECT_EQ(found["episodes_ended"], ordered["episodes_ended"]) << columns;
  }

  TemporaryFolder folder_;
};

TEST_F(LearnOrder, RowsOfSeveralEnvironmentsInTurnAreBroughtTogether) {
  const auto rows = walks_in_turn(500);
  expect_as_if_in_order(rows, "episode,state,reward,terminated,next_state");
  expect_as_if_in_order(rows, "episode,state,reward,terminated");
  expect_as_if_in_order(rows, "env,episode,t,state,reward,terminated");
  expect_as_if_in_order(rows, "worker_serial,state,reward,terminated", "--episode worker_serial");
}

TEST_F(LearnOrder, ShuffledRowsAreInTheOrderOfTheirTime) {
  const auto rows = shuffled(walks_in_turn(500));
  for (const char* columns : {"episode,t,state,reward,terminated,next_state", "episode,t,state,reward,terminated"}) {
    const json found = learn(write(rows, columns));
    EXPECT_NEAR(value(found), truth, 2 * found["targets"][0]["half_width"].get<double>()) << columns;
  }
  const json named = learn(write(rows, "episode,clock,state,reward,terminated"), "--time clock");
  EXPECT_NEAR(value(named), truth, 2 * named["targets"][0]["half_width"].get<double>());
}

TEST_F(LearnOrder, RowsInOrderAreNotSorted) {
  const auto rows = walks_in_turn(100);
  EXPECT_EQ(learn(write(grouped(rows), "env,episode,t,state,reward,terminated"))["sorted_rows"], false);
  EXPECT_EQ(learn(write(rows, "env,episode,t,state,reward,terminated"))["sorted_rows"], true);
  const auto text = bellwether("learn " + write(rows, "env,episode,t,state,reward,terminated")).out;
  EXPECT_NE(text.find("rows were sorted, as those of an episode were not together or not in order; their order is that "
                      "of t\n"),
            std::string::npos)
      << text;
}

TEST_F(LearnOrder, EnvironmentsWhoseEpisodesHaveNoNamesAreToldApart) {
  const auto rows = walks_in_turn(500);
  const auto expected = learn(write(grouped(rows), "episode,state,reward,terminated"));
  for (const char* columns :
       {"env,state,reward,terminated", "env,t,state,reward,terminated", "env,state,reward,terminated,next_state"}) {
    const json found = learn(write(rows, columns));
    EXPECT_NEAR(value(found), truth, 2 * found["targets"][0]["half_width"].get<double>()) << columns;
    EXPECT_EQ(found["episodes_ended"], expected["episodes_ended"]) << columns;
  }
}

TEST_F(LearnOrder, ShuffledRowsWithoutTimeAreRefused) {
  const auto rows = shuffled(walks_in_turn(200));
  EXPECT_NE(refusal(write(rows, "episode,state,reward,terminated,next_state")).find("(--time NAME names the column"),
            std::string::npos);
  EXPECT_NE(refusal(write(rows, "episode,state,reward,terminated")).find("ends an episode, but row"),
            std::string::npos);
}

TEST_F(LearnOrder, WithoutAnyOrderTheValueIsThatOfAllStatesAndAWarningSaysSo) {
  const auto rows = walks_in_turn(500);
  // Transitions are all there is; the mean over the states visited is known from the log itself.
  double steps_to_go = 0;
  for (const Row& row : rows) steps_to_go += row.state * (6 - row.state);
  const double mean = -steps_to_go / static_cast<double>(rows.size());
  const auto check = [&](const std::vector<Row>& all, const std::string& columns, const std::string& options) {
    const json found = learn(write(all, columns), options);
    EXPECT_NEAR(value(found), mean, 2 * found["targets"][0]["half_width"].get<double>()) << columns;
    EXPECT_EQ(found["targets"][0]["of_start_states"], false);
    return found["warnings"].dump();
  };
  const std::string jumps = check(rows, "state,reward,terminated,next_state", "");
  EXPECT_NE(jumps.find("where episodes start is not known"), std::string::npos) << jumps;
  EXPECT_NE(jumps.find("(an --episode or an --env column would tell)"), std::string::npos) << jumps;
  const std::string wanted = check(shuffled(rows), "episode,state,reward,terminated,next_state", "--unordered");
  EXPECT_NE(wanted.find("every row was taken for a step on its own"), std::string::npos) << wanted;
}

TEST_F(LearnOrder, AStreamThatEndsIsSortedIfItsFirstRowsAreOutOfOrder) {
  const std::string columns = "episode,state,reward,terminated";
  const auto rows = walks_in_turn(500);
  const json file = learn(write(rows, columns));
  const auto piped = [&](const std::vector<Row>& all) {
    write(all, columns);
    return Process({"/bin/sh", "-c", BELLWETHER_PROGRAM " learn - --json < " + path("log.csv")}).finish();
  };
  const Finished sorted = piped(rows);
  ASSERT_EQ(sorted.code, 0) << sorted.err;
  EXPECT_NEAR(value(json::parse(sorted.out)), value(file), 1e-9);
  auto late = grouped(rows);
  const auto end = std::find_if(late.begin(), late.end(), [](const Row& row) { return row.terminated; });
  std::rotate(end, end + 1, late.end());  // the first episode goes on in the last row
  const Finished refused = piped(late);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("write it to a file and learn from that"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace bellwether::testing
