// Logs with words, gaps and the marks of other countries.
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "cli/program.h"
#include "support/data/python_data.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {
namespace {

using nlohmann::json;

class LearnText : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  static json learned(const std::string& arguments) {
    const auto done = bellwether("learn " + arguments + " --json");
    EXPECT_EQ(done.code, 0) << done.err;
    return done.code == 0 ? json::parse(done.out) : json();
  }

  /// The values and visits that a model predicts for some states.
  static std::vector<std::pair<double, double>> predicted(const std::string& model, const std::string& states) {
    const auto done = bellwether("predict " + model + " " + states);
    EXPECT_EQ(done.code, 0) << done.err;
    std::istringstream lines(done.out);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "row,value,visits");
    std::vector<std::pair<double, double>> all;
    while (std::getline(lines, line)) {
      const std::size_t first = line.find(','), second = line.find(',', first + 1);
      all.emplace_back(std::stod(line.substr(first + 1)), std::stod(line.substr(second + 1)));
    }
    return all;
  }

  /// From home to work (reward 1), to the gym (2), and home again (4), where the episode ends.
  static std::string rooms(int episodes, bool gym = true) {
    std::string text;
    for (int i = 0; i < episodes; ++i) text += gym ? "home,1,0\nwork,2,0\n\"the, gym\",4,1\n" : "home,1,0\nwork,2,1\n";
    return text;
  }

  TemporaryFolder folder_;
  std::string header_ = "room,reward,done\n";
};

TEST_F(LearnText, WordsAreStatesWithoutBeingAskedFor) {
  const std::string log = write("log.csv", header_ + rooms(100));
  const std::string model = folder_.path("m.bw");
  const json found = learned(log + " --state room -m " + model);
  EXPECT_NE(found.dump().find("room is text, with 3 categories: home, work, the, gym"), std::string::npos);
  const auto values = predicted(model, write("states.csv", "room\nwork\n\"the, gym\"\nmars\nhome\n"));
  ASSERT_EQ(values.size(), 4U);
  EXPECT_NEAR(values[0].first, 6, 1e-3);
  EXPECT_NEAR(values[1].first, 4, 1e-3);
  EXPECT_NEAR(values[3].first, 7, 1e-3);
  EXPECT_EQ(values[0].second, 100);
  EXPECT_EQ(values[2].second, 0) << "a word that was never seen";
}

TEST_F(LearnText, AStreamAndJsonHaveTheSameValuesAsAFile) {
  const std::string log = write("log.csv", header_ + rooms(100));
  std::string lines, array;
  for (int i = 0; i < 100; ++i) {
    for (const char* row : {R"({"room":"home","reward":1,"done":false})", R"({"room":"work","reward":2,"done":false})",
                            R"({"room":"the, gym","reward":4,"done":true})"}) {
      lines += std::string(row) + "\n";
      array += (array.empty() ? "[\n  " : ",\n  ") + std::string(row);
    }
  }
  const double expected = learned(log + " --state room")["targets"][0]["value"];
  EXPECT_NEAR(expected, 7, 1e-3);
  const Finished stream =
      Process({"/bin/sh", "-c", "exec " BELLWETHER_PROGRAM " learn - --state room --json < " + log}).finish();
  ASSERT_EQ(stream.code, 0) << stream.err;
  EXPECT_EQ(json::parse(stream.out)["targets"][0]["value"], expected);
  EXPECT_EQ(learned(write("log.jsonl", lines) + " --state room")["targets"][0]["value"], expected);
  EXPECT_EQ(learned(write("log.json", array + "\n]\n") + " --state room")["targets"][0]["value"], expected);
}

TEST_F(LearnText, LearningGoesOnAndShardsAreMergedWithTheWordsOfTheFirst) {
  const std::string one = write("one.csv", header_ + rooms(60)),
                    two = write("two.csv", header_ + "sea,9,1\n" + rooms(30));
  const std::string states = write("states.csv", "room\nhome\nwork\nsea\nmars\n");
  const std::string whole = folder_.path("whole.bw"), more = folder_.path("more.bw"), part = folder_.path("part.bw"),
                    both = folder_.path("both.bw");
  // Steps 1 to 60 teach the words; the sea comes later, and is like any other word.
  learned(one + " --state room --learner lstd --set inverse_init=1e6 -m " + more);
  ASSERT_EQ(bellwether("learn " + two + " --like " + more + " -m " + part).code, 0);
  ASSERT_EQ(bellwether("merge " + more + " " + part + " -o " + both).code, 0);
  learned(two + " --continue -m " + more);
  const auto continued = predicted(more, states), merged = predicted(both, states);
  ASSERT_EQ(continued.size(), 4U);
  EXPECT_NEAR(continued[0].first, 7, 1e-2);
  EXPECT_EQ(continued[0].second, 90);
  EXPECT_NEAR(continued[2].first, 9, 0.1);
  EXPECT_EQ(continued[2], continued[3]);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(merged[i].first, continued[i].first, 1e-6);
    EXPECT_EQ(merged[i].second, continued[i].second);
  }
}

TEST_F(LearnText, ProcessesAgreeOnTheWords) {
  const std::string one = write("one.csv", header_ + rooms(50)), two = write("two.csv", header_ + rooms(50, false));
  const std::string alone = folder_.path("alone.bw"), together = folder_.path("together.bw");
  learned(one + " " + two + " --state room --learner lstd -m " + alone);
  std::string run;
  for (const std::string& word : mpirun(2)) run += word + " ";
  run += BELLWETHER_PROGRAM " learn " + two + " " + one + " --state room --learner lstd -m " + together;
  ASSERT_EQ(std::system((run + " > /dev/null 2>&1").c_str()), 0);
  const std::string states = write("states.csv", "room\nhome\nwork\n\"the, gym\"\n");
  const auto a = predicted(alone, states), b = predicted(together, states);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].first, b[i].first, 1e-6) << i;
}

TEST_F(LearnText, AskedForCrossesSeeWhatSumsOfFeaturesCannot) {
  // The reward is 1 where day and hour agree: their sum explains nothing of it.
  std::string text = "day,hour,temperature,reward,done\n";
  for (int i = 0; i < 400; ++i) {
    const int day = i % 2, hour = i / 2 % 2;
    text += std::string(day == 0 ? "Mon" : "Tue") + "," + std::to_string(8 + hour) + "," + std::to_string(i % 7) +
            ".5," + (day == hour ? "1" : "0") + ",1\n";
  }
  const std::string log = write("log.csv", text) + " --state day,hour,temperature", model = folder_.path("m.bw");
  const std::string states = write("states.csv", "day,hour,temperature\nMon,8,1.5\nTue,8,1.5\nMon,9,1.5\nTue,9,1.5\n");
  learned(log + " --features 'categorical(day) + tile_coding(temperature) + cross(day, hour)' -m " + model);
  const auto crossed = predicted(model, states);
  EXPECT_NEAR(crossed[0].first, 1, 0.05);
  EXPECT_NEAR(crossed[1].first, 0, 0.05);
  EXPECT_NEAR(crossed[2].first, 0, 0.05);
  EXPECT_NEAR(crossed[3].first, 1, 0.05);
  learned(log + " --features 'categorical(day, hour) + tile_coding(temperature)' -m " + model);
  EXPECT_NEAR(predicted(model, states)[0].first, 0.5, 0.1);
  learned(log + " -m " + model);  // by default, too
  EXPECT_NEAR(predicted(model, states)[1].first, 0, 0.1);
}

TEST_F(LearnText, MapsOfNumbersAloneAreRefusedForWords) {
  const std::string log = write("log.csv", header_ + rooms(10));
  const auto done = bellwether("learn " + log + " --state room --features tile_coding");
  EXPECT_EQ(done.code, 2);
  EXPECT_EQ(done.err,
            "bellwether: features: variable 'room' holds categories, and no map of 'tile_coding' uses it: add "
            "categorical(room), or leave it out of the state\n");
}

TEST_F(LearnText, RowsWithGapsAreRefusedOrCounted) {
  std::string text = "s,reward,end\n";
  for (int i = 0; i < 30; ++i) text += "1,1,no\nN/A,5,no\n2,1,yes\n1,NULL,n\n2,1,Y\n";
  const std::string log = write("log.csv", text);
  const auto refused = bellwether("learn " + log + " --done end");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "bellwether: " + log +
                ": row 2, column 's': 'N/A' stands for a missing value; with --skip-bad such rows are left "
                "out and counted\n");
  const json found = learned(log + " --done end --skip-bad");
  EXPECT_EQ(found["skipped_rows"], 60);
  EXPECT_EQ(found["steps"], 60) << "the first row has no next state, since a bad row follows";
}

class LearnMessyFromPython : public FromPython {};

TEST_F(LearnMessyFromPython, Utf16WithDecimalCommasGivesWhatJsonGives) {
  const std::string state = " --state weekday,temperature --json";
  const auto messy = bellwether("learn " + python_data("messy.csv") + " --decimal , --skip-bad" + state);
  const auto clean = bellwether("learn " + python_data("objects.json") + state);
  ASSERT_EQ(messy.code, 0) << messy.err;
  ASSERT_EQ(clean.code, 0) << clean.err;
  EXPECT_EQ(json::parse(messy.out)["skipped_rows"], 1);
  EXPECT_NEAR(json::parse(messy.out)["targets"][0]["value"], 4.5, 0.1);
  EXPECT_NEAR(json::parse(clean.out)["targets"][0]["value"], 4.5, 0.1);
}

TEST_F(LearnMessyFromPython, LogsOfD3rlpyAndD4rlHaveTheSameValue) {
  const auto value = [](const std::string& file) {
    const auto done = bellwether("learn " + python_data(file) + " --features none --discount 0.9 --json");
    EXPECT_EQ(done.code, 0) << done.err;
    const json found = json::parse(done.out);
    EXPECT_EQ(found["steps_without_end"], 5) << "half of the episodes were cut short";
    return found["targets"][0]["value"].get<double>();
  };
  EXPECT_EQ(value("d3rlpy.h5"), value("d3rlpy_1.h5"));
}

}  // namespace
}  // namespace bellwether::testing
