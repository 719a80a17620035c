// From a log to values, as people do it.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cli/learn_fixture.h"

namespace bellwether::testing {
namespace {

TEST_F(Learn, OneCommandGivesTheValueOfThePolicyWithAnInterval) {
  const std::string log = write("walks.csv", walks);
  const auto done = bellwether("learn " + log + " -m " + path("m.bw"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("180 steps, 60 episodes, 60 of which end"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("learner: lstd with lambda=0.9"), std::string::npos) << done.out;
  EXPECT_NE(done.out.find("value of the policy: 4.0"), std::string::npos) << done.out;  // 1 + 2 + mean of 0, 1, 2
  EXPECT_NE(done.out.find("95 % interval"), std::string::npos) << done.out;
  const auto values = bellwether("predict " + path("m.bw") + " " + write("states.csv", "s\n0\n2\n") + " --interval");
  EXPECT_EQ(values.code, 0) << values.err;
  EXPECT_EQ(values.out.rfind("row,value,low,high,visits\n1,3.", 0), 0U) << values.out;
}

TEST_F(Learn, TheSummaryNamesTheColumnsFirst) {
  const std::string log = write("log.csv", "x,y,action,reward,done,next_x,next_y\n1,5,0,1,0,2,6\n2,6,1,1,1,3,7\n");
  const auto done = bellwether("learn " + log + " -m " + path("m.bw"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out.rfind("columns: state x, y; reward reward; next next_x, next_y; done done\n"
                           "columns that are not used: action\n",
                           0),
            0U)
      << done.out;
  const auto again = bellwether("learn " + write("more.csv", read_file(log) + "4,5,0,1,1,5,6\n") + " --like " +
                                path("m.bw") + " -m " + path("n.bw"));
  EXPECT_EQ(again.out.rfind("columns: state x, y;", 0), 0U) << again.out;
  const std::string inspected = bellwether("inspect " + path("m.bw")).out;
  EXPECT_EQ(inspected.find("columns: "), inspected.rfind("columns: ")) << inspected;
}

TEST_F(Learn, ValuesOfTheTargetPolicyComeFromBehavioursProbabilities) {
  // Collision: the target policy always drives on, the behaviour policy turns away with probability 1/2.
  const std::string log = simulated("collision", 60000);
  std::ifstream in(log);
  std::ofstream out(path("probabilities.csv"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "state,action,reward,discount,rho,pi,next_state");
  out << "state,action,reward,discount,target,behaviour,next_state\n";
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    for (std::size_t first = 0; first <= line.size();) {
      const std::size_t end = std::min(line.find(',', first), line.size());
      cells.push_back(line.substr(first, end - first));
      first = end + 1;
    }
    const double rho = std::stod(cells[4]), pi = std::stod(cells[5]);
    const double mu = rho > 0 ? pi / rho : 0.5;  // where pi = 0 any mu will do
    out << cells[0] << ',' << cells[1] << ',' << cells[2] << ',' << cells[3] << ',' << pi << ',' << mu << ','
        << cells[6] << '\n';
  }
  out.close();
  const json found = summary(path("probabilities.csv") + " --features tabular -m " + path("m.bw"));
  std::string states = "state\n";
  for (int s = 1; s <= 8; ++s) states += std::to_string(s) + "\n";
  const auto values = bellwether("predict " + path("m.bw") + " " + write("states.csv", states));
  ASSERT_EQ(values.code, 0) << values.err;
  std::istringstream rows(values.out);
  std::getline(rows, line);
  double starts = 0;
  for (int s = 1; s <= 8; ++s) {
    double row = 0, value = 0;
    char comma = 0;
    rows >> row >> comma >> value;
    std::getline(rows, line);
    const double truth = std::pow(0.9, 8 - s);  // reward 1 in the last state
    // The target policy leaves no choice, so that ratios of 0 and 2 cancel, and only the ridge is felt.
    EXPECT_NEAR(value, truth, 2e-6) << s;
    if (s <= 4) starts += truth / 4;
  }
  // Which of the first four states an episode starts in is drawn: there the value has a standard error.
  EXPECT_GT(found["targets"][0]["half_width"], 1e-4);
  EXPECT_NEAR(found["targets"][0]["value"].get<double>(), starts,
              found["targets"][0]["half_width"].get<double>() / 2.09);
}

TEST_F(Learn, StreamsAreLearnedFromAsTheyComeAndContinued) {
  const std::string log = simulated("mountain_car", 3000);
  const std::string options = " --learner td --features tile_coding --sample 500 --resamples 3 ";
  const std::string text = read_file(log);
  const std::size_t cut = text.find('\n', 100000) + 1;
  const std::string first = write("first.csv", text.substr(0, cut));
  const std::string rest = write("rest.csv", text.substr(0, text.find('\n') + 1) + text.substr(cut));
  ASSERT_EQ(piped(log, "learn -" + options + "-m " + path("all.bw")).code, 0);
  const std::string to_two = "-m " + path("two.bw") + " --predict " + path("v.jsonl");
  ASSERT_EQ(piped(first, "learn -" + options + to_two).code, 0);
  const Finished second = piped(rest, "learn - " + to_two);
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_NE(second.err.find("going on from"), std::string::npos) << second.err;
  const auto values = [&](const char* model) { return bellwether("predict " + path(model) + " " + log).out; };
  EXPECT_TRUE(values("all.bw") == values("two.bw"));
  std::istringstream lines(read_file(path("v.jsonl")));
  std::string line;
  std::uint64_t expected = 0;
  while (std::getline(lines, line)) EXPECT_EQ(json::parse(line)["step"], expected++);
  EXPECT_EQ(expected, 3000U);
}

TEST_F(Learn, ARequestToEndWritesTheModelOfAStreamAndIsNoFailure) {
  const std::string log = simulated("mountain_car", 2000);
  // The stream never ends: it stays open after its last row.
  Process learner({"/bin/sh", "-c",
                   "(cat " + log + "; exec sleep 60) | { echo $$ > /dev/null; exec " + std::string(BELLWETHER_PROGRAM) +
                       " learn - --learner td --features tile_coding --checkpoint 0.3s -m " + path("m.bw") + "; }"});
  for (int i = 0; i < 200 && !std::filesystem::exists(path("m.bw")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ASSERT_TRUE(std::filesystem::exists(path("m.bw")));  // a checkpoint
  // The shell waits for the pipeline; the program is its child.
  for (const pid_t child : learner.children()) kill(child, SIGTERM);
  const Finished end = learner.finish();
  EXPECT_NE(end.out.find("2,000 steps"), std::string::npos) << end.out << end.err;
  const auto inspected = bellwether("inspect " + path("m.bw"));
  EXPECT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_NE(inspected.out.find("2,000 steps"), std::string::npos) << inspected.out;
}

TEST_F(Learn, TheExampleOfASensorStreamRuns) {
  Process learner({"/bin/sh", "-c",
                   "python3 " BELLWETHER_SOURCE_DIR "/examples/sensor_stream.py 3000 | " BELLWETHER_PROGRAM
                   " learn - --state temperature,vibration --reward cost --discount 0.99 --model " +
                       path("machine.bw")});
  EXPECT_EQ(learner.finish().code, 0);
  const auto values =
      bellwether("predict " + path("machine.bw") + " " + write("states.csv", "temperature,vibration\n60,1\n74,2.5\n"));
  ASSERT_EQ(values.code, 0) << values.err;
  double fine = 0, worn = 0;
  ASSERT_EQ(std::sscanf(values.out.c_str(), "row,value,visits\n1,%lf,%*f\n2,%lf", &fine, &worn), 2) << values.out;
  EXPECT_LT(fine + 20, worn);  // more trouble lies ahead of what shakes
}

TEST_F(Learn, ShardsMergeToWhatAllOfThemGive) {
  const std::string a = simulated("collision", 2000, "a.csv", 1), b = simulated("collision", 2000, "b.csv", 2);
  const std::string learner = " --learner lstd --features tabular ";
  ASSERT_EQ(bellwether("learn " + a + " " + b + learner + "-m " + path("all.bw")).code, 0);
  ASSERT_EQ(bellwether("learn " + a + learner + "-m " + path("a.bw")).code, 0);
  ASSERT_EQ(bellwether("learn " + b + " --like " + path("a.bw") + " -m " + path("b.bw")).code, 0);
  const auto merged = bellwether("merge " + path("a.bw") + " " + path("b.bw") + " -o " + path("ab.bw"));
  ASSERT_EQ(merged.code, 0) << merged.err;
  const auto weights = [&](const char* model) {
    return json::parse(bellwether("inspect --json " + path(model)).out)["targets"][0]["value"].get<double>();
  };
  EXPECT_NEAR(weights("ab.bw"), weights("all.bw"), 1e-10);
  EXPECT_NE(merged.out.find("4,000 steps"), std::string::npos) << merged.out;
  ASSERT_EQ(bellwether("learn " + b + " --features tabular --learner td -m " + path("td.bw")).code, 0);
  const auto refused = bellwether("merge " + path("a.bw") + " " + path("td.bw") + " -o " + path("no.bw"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("different"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(path("no.bw")));
}

TEST_F(Learn, ProcessesStartedTogetherLearnFromTheirShards) {
  std::string files;
  for (int i = 1; i <= 3; ++i) {
    files += simulated("mountain_car", 1500, "shard" + std::to_string(i) + ".csv", i) + " ";
  }
  const std::string options = files + "--features 'tile_coding(tilings=2 tiles=3)' --learner lstd";
  const auto alone = bellwether("learn --json " + options);
  ASSERT_EQ(alone.code, 0) << alone.err;
  const auto together = [&](const std::string& command) {
    std::string words = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
    for (const std::string& word : testing::mpirun(2)) words += " " + word;
    return Process({"/bin/sh", "-c", words + " " BELLWETHER_PROGRAM " " + command}).finish();
  };
  const Finished done = together("learn --json " + options);
  ASSERT_EQ(done.code, 0) << done.err;
  const json one = json::parse(alone.out), two = json::parse(done.out);
  EXPECT_EQ(one["steps"], two["steps"]);
  EXPECT_EQ(one["recipe"]["variables"], two["recipe"]["variables"]);
  EXPECT_NEAR(one["targets"][0]["value"].get<double>(), two["targets"][0]["value"].get<double>(), 1e-8);
  EXPECT_EQ(together("learn " + options).out.find('\033'), std::string::npos) << "the output is no terminal";
}

TEST_F(Learn, SeveralRewardsAndDiscountsAreSeveralTargets) {
  const std::string log = write("log.csv", "s,cost,gain,done\n0,1,5,0\n1,1,0,1\n0,1,5,0\n1,1,0,1\n");
  const json found =
      summary(log + " --state s --reward cost,gain --discount 0.5,0.9 --resamples 0 --set inverse_init=1e6" +
              " --features tabular --weights " + path("w.csv"));
  ASSERT_EQ(found["targets"].size(), 4U);
  EXPECT_EQ(found["targets"][0]["name"], "cost_0.5");
  EXPECT_NEAR(found["targets"][0]["value"].get<double>(), 1.5, 1e-4);
  EXPECT_NEAR(found["targets"][3]["value"].get<double>(), 5, 1e-4);
  EXPECT_EQ(read_file(path("w.csv")).substr(0, 73),
            "feature,weight_cost_0.5,weight_cost_0.9,weight_gain_0.5,weight_gain_0.9\n0");
}

TEST_F(Learn, ThePageHoldsTheAnswerAndTheFigures) {
  const std::string log = simulated("mountain_car", 3000);
  const std::string command =
      "learn " + log + " --features tile_coding --learner td --json --report " + path("page.html");
  const auto done = bellwether(command);
  if (!testing::has_page) {
    EXPECT_EQ(done.code, 2);
    EXPECT_NE(done.err.find("was built without its pages"), std::string::npos) << done.err;
    return;
  }
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string page = read_file(path("page.html"));
  EXPECT_NE(page.find("script-src 'sha256-"), std::string::npos);
  const std::string before = R"(<script type="application/json" id="bellwether-data">)";
  const std::size_t begin = page.find(before) + before.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin))["learned"];
  EXPECT_EQ(data["summary"], json::parse(done.out)) << "what --json prints";
  EXPECT_EQ(data["summary"]["targets"][0]["question"], "How much reward will the policy collect from its start?");
  EXPECT_EQ(data["command"], "bellwether " + command);
  EXPECT_EQ(data["figures"]["variables"][0]["name"], "position");
  EXPECT_EQ(data["figures"]["variables"][1]["states"].size(), 24U);
  EXPECT_FALSE(data["figures"]["targets"][0]["returns"]["groups"].empty());
}

TEST_F(Learn, EveryWarningSaysWhatToDo) {
  const json found = summary(write("log.csv", "x.0,reward,done\n1,2,1\n1,2,1\n1,2,1\n"));
  ASSERT_FALSE(found["advice"].empty());
  ASSERT_EQ(found["advice"].size(), found["warnings"].size());
  for (std::size_t i = 0; i < found["advice"].size(); ++i) {
    const std::string what = found["advice"][i]["warning"], advice = found["advice"][i]["advice"];
    EXPECT_NE(advice, "");
    EXPECT_EQ(found["warnings"][i], what + " (" + advice + ")");
  }
}

TEST_F(Learn, WarningsSayWhatAPersonShouldKnow) {
  std::string text = "x.0,x.1,reward,rho,done\n";
  for (int i = 0; i < 300; ++i) text += "1,0,2," + std::string(i % 100 == 0 ? "500" : "0.01") + ",1\n";
  const json found = summary(write("log.csv", text));
  const std::string all = found["warnings"].dump();
  EXPECT_NE(all.find("1 of 2 features"), std::string::npos) << all;
  EXPECT_NE(all.find("reward is 2 in every step"), std::string::npos) << all;
  EXPECT_NE(all.find("the largest ratio is 500"), std::string::npos) << all;
  const json diverged = summary(write("log.csv", text) + " --learner td --set alpha=1e9");
  EXPECT_NE(diverged["targets"][0]["no_value"].dump().find("diverged at step"), std::string::npos);
}

TEST_F(Learn, BadRowsCanBeSkippedAndAreCounted) {
  const std::string log = write("walks.csv", walks + "0,abc,0\n1,nan,1\n");
  const auto refused = bellwether("learn " + log);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "bellwether: " + log +
                             ": row 181, column 'reward': 'abc' is not a number; with --skip-bad such "
                             "rows are left out and counted\n");
  const json found = summary(log + " --skip-bad");
  EXPECT_EQ(found["skipped_rows"], 2);
  EXPECT_NE(found["warnings"].dump().find("row 181"), std::string::npos);
}

TEST_F(Learn, AModelThatIsContinuedKeepsItsWays) {
  const std::string log = write("walks.csv", walks);
  const std::string go_on = "learn " + log + " -m " + path("m.bw") + " --continue --again ";
  ASSERT_EQ(bellwether(go_on + "--features tabular --learner lstd").code, 0);  // there is none yet
  EXPECT_EQ(bellwether(go_on + "--features tabular --learner lstd --state s --discount 1").code, 0);
  const auto refused = [&](const std::string& option) {
    const auto done = bellwether(go_on + option);
    EXPECT_EQ(done.code, 2) << option;
    return done.err;
  };
  EXPECT_EQ(refused("--learner td"),
            "bellwether: the model has the learner lstd, not td: leave it out, or learn a new model\n");
  EXPECT_NE(refused("--set lambda=0.1").find("the model has lambda 0, not 0.1"), std::string::npos);
  EXPECT_NE(refused("--discount 0.5").find("not 0.5"), std::string::npos);
  EXPECT_NE(refused("--features tile_coding").find("the features tabular"), std::string::npos);
  EXPECT_NE(refused("--state done").find("the state s"), std::string::npos);
  EXPECT_NE(bellwether("inspect " + path("m.bw")).out.find("360 steps"), std::string::npos);
}

TEST_F(Learn, WhatTheModelHasLearnedFromIsNotCountedTwice) {
  const std::string log = write("walks.csv", walks), model = " -m " + path("m.bw");
  ASSERT_EQ(bellwether("learn " + log + model).code, 0);
  const auto inspected = [&] { return bellwether("inspect --json " + path("m.bw")).out; };
  const std::string before = inspected();
  EXPECT_EQ(json::parse(before)["learned_from"], json::array({log}));
  const std::string why =
      ": its steps would count twice, and intervals would be too narrow (--again, if that is what "
      "you want)\n";
  const auto refused = [&](const std::string& files) {
    const auto done = bellwether("learn " + files + model + " --continue");
    EXPECT_EQ(done.code, 2) << done.out;
    EXPECT_EQ(inspected(), before);
    return done.err;
  };
  EXPECT_EQ(refused(log), "bellwether: " + log + ": the model has already learned from it" + why);
  const std::string copy = write("copy.csv", walks), longer = write("longer.csv", walks + "0,1,0\n1,2,1\n");
  for (const std::string& file : {copy, longer}) {
    EXPECT_EQ(refused(file), "bellwether: " + file + ": the model has already learned from " + log +
                                 ", and this file is the same or begins with it" + why);
  }
  const std::string other = write("other.csv", "s,reward,done\n0,1,0\n1,2,0\n2,1,1\n");
  EXPECT_EQ(refused(other + " " + other), "bellwether: " + other + ": the request already has it" + why);
  const auto more = bellwether("learn " + other + model + " --continue");
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(json::parse(inspected())["learned_from"], json::array({log, other}));
  EXPECT_EQ(json::parse(inspected())["steps"], 183);
  EXPECT_EQ(bellwether("learn " + log + model + " --continue --again").code, 0);
  EXPECT_EQ(json::parse(inspected())["steps"], 363);
  EXPECT_EQ(json::parse(inspected())["learned_from"], json::array({log, other}));
  // Nor by merging.
  ASSERT_EQ(bellwether("learn " + copy + " --like " + path("m.bw") + " -m " + path("n.bw")).code, 0);
  const auto merged = bellwether("merge " + path("m.bw") + " " + path("n.bw") + " -o " + path("both.bw"));
  EXPECT_EQ(merged.code, 2);
  EXPECT_EQ(merged.err, "bellwether: " + path("m.bw") + " and " + path("n.bw") + ": both models have learned from " +
                            copy + ", which is the same as " + log + ": its steps would count twice\n");
}

TEST_F(Learn, PipesAreStreams) {
  const std::string log = write("walks.csv", walks);
  EXPECT_EQ(system(("mkfifo " + path("pipe") + " && (cat " + log + " > " + path("pipe") + " &)").c_str()), 0);
  const auto done = bellwether("learn " + path("pipe"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("180 steps"), std::string::npos) << done.out;
}

}  // namespace
}  // namespace bellwether::testing
