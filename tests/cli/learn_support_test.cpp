// Logs that cannot tell a value, or tell it for some states only.
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/process.h"
#include "cli/program.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {
namespace {

using nlohmann::json;

class LearnSupport : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  /// The option that asks for a page, if the program can make one.
  std::string report() const { return has_page ? " --report " + path("page.html") : ""; }

  TemporaryFolder folder_;
};

/// Walks over three states; `more` is what a row of a state ends with.
std::string support_walks(const std::string& header, const std::string& more) {
  std::string text = "s,reward,done" + header + "\n";
  for (int i = 0; i < 60; ++i) {
    for (int s = 0; s < 3; ++s) {
      text += std::to_string(s) + "," + std::to_string(i % 3) + "," + (s == 2 ? "1" : "0") + more + "\n";
    }
  }
  return text;
}

TEST_F(LearnSupport, WhereRatiosLeaveNothingThereIsNoValueAndNothingToPredict) {
  const auto done = bellwether("learn " + write("log.csv", support_walks(",rho", ",0")) + " -m " + path("m.bw"));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("value of the policy: none, as every importance ratio is 0"), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find("+-"), std::string::npos) << done.out;
  const auto values = bellwether("predict " + path("m.bw") + " " + path("log.csv"));
  EXPECT_EQ(values.code, 2);
  EXPECT_EQ(values.out, "");
  EXPECT_NE(values.err.find(path("m.bw") + ": has no values of reward, as every importance ratio is 0"),
            std::string::npos)
      << values.err;
}

TEST_F(LearnSupport, AModelThatDivergedPredictsNothing) {
  const std::string log = write("log.csv", support_walks("", ""));
  const std::string learned = "learn " + log + " --learner td --set alpha=9 -m " + path("m.bw") + " --predict " +
                              path("v.jsonl") + " --passes 3" + report();
  const auto done = bellwether(learned);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("value of the policy: none, as the learner diverged at step "), std::string::npos)
      << done.out;
  if (has_page) {
    EXPECT_NE(read_file(path("page.html")).find(R"(no_value":"the learner diverged)"), std::string::npos);
  }
  for (const char* interval : {"", " --interval"}) {
    const auto values = bellwether("predict " + path("m.bw") + " " + log + interval);
    EXPECT_EQ(values.code, 2);
    EXPECT_EQ(values.out, "");
    EXPECT_NE(values.err.find("has no values of reward, as the learner diverged at step "), std::string::npos);
  }
}

TEST_F(LearnSupport, AModelThatDivergedHasNoWeights) {
  const std::string log = write("log.csv", support_walks("", ""));
  bellwether("learn " + log + " --learner td --set alpha=9 --passes 3 --weights " + path("w.csv"));
  EXPECT_TRUE(read_file(path("w.csv")).starts_with("feature,weight\n0,\n1,\n")) << read_file(path("w.csv"));
}

TEST_F(LearnSupport, AModelWhoseValueIsBeyondWhatRewardsAllowPredictsNothing) {
  bellwether("simulate mountain_car --steps 300 -o " + path("log.csv"));
  const auto done = bellwether("learn " + path("log.csv") +
                               " --learner td --features 'polynomial(degree=3)' --set alpha=2.5 -m " + path("m.bw"));
  EXPECT_NE(done.out.find("none, as the learner found a value beyond what rewards allow"), std::string::npos)
      << done.out;
  const auto values = bellwether("predict " + path("m.bw") + " " + path("log.csv"));
  EXPECT_EQ(values.code, 2);
  EXPECT_NE(values.err.find("has no values of reward, as the learner found a value beyond"), std::string::npos)
      << values.err;
}

TEST_F(LearnSupport, ATargetThatDivergedLeavesTheOthersTheirValues) {
  std::string text = "x.0,a,b,done\n";
  for (int i = 0; i < 400; ++i) text += "3,0,1,1\n";
  // The weight of `a` stays 0, that of `b` oscillates and grows.
  const auto done = bellwether("learn " + write("log.csv", text) +
                               " --reward a,b --learner td --set alpha=9 --resamples 0 -m " + path("m.bw"));
  EXPECT_EQ(done.code, 0) << done.err;
  const std::string state = write("state.csv", "x.0\n1\n");
  const auto values = bellwether("predict " + path("m.bw") + " " + state);
  EXPECT_EQ(values.code, 0) << values.err;
  EXPECT_EQ(values.out.rfind("row,value_a,value_b", 0), 0U) << values.out;
  EXPECT_NE(values.out.find("\n1,0,"), std::string::npos) << values.out;
  EXPECT_NE(values.err.find("has no values of b, as the learner diverged"), std::string::npos) << values.err;
  bellwether("predict " + path("m.bw") + " " + state + " -o " + path("v.jsonl"));
  const json line = json::parse(read_file(path("v.jsonl")));
  EXPECT_EQ(line["value_a"], 0);
  EXPECT_TRUE(line["value_b"].is_null());
}

/// Episodes that end with probability 1/50 a step, and are cut short after 40 steps; every step is worth 1.
std::string truncated_log(const std::string& header, const std::string& more) {
  std::string text = "s,reward,terminated,truncated,next_s" + header + "\n";
  unsigned random = 1;
  for (int episode = 0; episode < 400; ++episode) {
    for (int t = 0; t < 40; ++t) {
      random = random * 1664525U + 1013904223U;
      const bool ends = (random >> 8) % 50 == 0;
      text += std::string("0,1,") + (ends ? "1" : "0") + "," + (!ends && t == 39 ? "1" : "0") + ",0" + more + "\n";
      if (ends) break;
    }
  }
  return text;
}

TEST_F(LearnSupport, ReturnsObservedSayWhichEpisodesTheyAreOver) {
  // The value is 50; the mean over the episodes that ended is about 18.
  const auto done = bellwether("learn " + write("log.csv", truncated_log("", "")) + report());
  ASSERT_EQ(done.code, 0) << done.err;
  const std::size_t at = done.out.find("  returns observed: ");
  ASSERT_NE(at, std::string::npos) << done.out;
  const std::string line = done.out.substr(at, done.out.find('\n', at) - at);
  EXPECT_NE(line.find(" of 400 episodes that ended, after "), std::string::npos) << line;
  EXPECT_NE(line.find("were cut short, after 40 steps, and have no return, so this need not agree with the value"),
            std::string::npos)
      << line;
  EXPECT_EQ(done.out.find("far from the returns"), std::string::npos) << done.out;
  if (has_page) {
    EXPECT_NE(read_file(path("page.html")).find("were cut short, after 40 steps, and have no return"),
              std::string::npos);
    EXPECT_NE(done.out.find("the page is in " + path("page.html")), std::string::npos) << done.out;
  }
  const json found = json::parse(bellwether("learn " + path("log.csv") + " --json").out)["targets"][0];
  EXPECT_NEAR(found["value"].get<double>(), 50, 12);
  EXPECT_LT(found["returns"]["mean"], 25);
  EXPECT_EQ(found["returns"]["episodes"].get<int>() + found["returns"]["cut_short"].get<int>(), 400);
  EXPECT_EQ(found["returns"]["mean_length"], found["returns"]["mean"]);
}

TEST_F(LearnSupport, ReturnsThatAreWeightedSaySo) {
  const auto done = bellwether("learn " + write("log.csv", truncated_log(",rho", ",0.5")));
  EXPECT_NE(done.out.find("\n  importance-weighted returns observed: "), std::string::npos) << done.out;
}

TEST_F(LearnSupport, OffPolicyTheIntervalSaysThatItLeavesOutWhatSharedFeaturesHide) {
  constexpr const char* warning = "not what states that share features hide";
  const auto learned = [&](const std::string& header, const std::string& more, const std::string& features) {
    return bellwether("learn " + write("log.csv", support_walks(header, more)) + " --features " + features).out;
  };
  EXPECT_NE(learned(",rho", ",0.5", "tile_coding").find(warning), std::string::npos);
  EXPECT_EQ(learned(",rho", ",0.5", "tabular").find(warning), std::string::npos) << "nothing is shared";
  EXPECT_EQ(learned("", "", "tile_coding").find(warning), std::string::npos) << "returns show it";
}

TEST_F(LearnSupport, ASlowStreamIsJudgedByStepsAndNotByWhatArrivesAtOnce) {
  std::string first = "x.0,x.1,reward,done\n", handful;
  for (int i = 0; i < 300; ++i) first += "1,0,2,0\n0,1,1,1\n";
  for (int i = 0; i < 15; ++i) handful += "1,0,2,0\n0,1,1,1\n";
  write("first.csv", first);
  write("handful.csv", handful);
  const std::string slowly = "{ cat " + path("first.csv") + "; for i in 1 2 3 4 5 6; do sleep 0.3; cat " +
                             path("handful.csv") + "; done; } | " BELLWETHER_PROGRAM " learn - --learner td --json";
  const auto done = Process({"/bin/sh", "-c", slowly}).finish();
  ASSERT_EQ(done.code, 0) << done.err;
  // The first 600 rows arrive together; then it is time to judge.
  const json judgements = json::parse(done.out)["targets"][0]["judgements"];
  ASSERT_FALSE(judgements.empty());
  EXPECT_GT(judgements.back()["steps"], 170) << judgements.dump();
}

TEST_F(LearnSupport, PredictSaysWhichStatesWereNeverSeen) {
  std::string text = "s,reward,done\n";
  for (int i = 0; i < 60; ++i) text += "0,1,0\n1,2,0\n4," + std::to_string(i % 3) + ",1\n";
  ASSERT_EQ(bellwether("learn " + write("log.csv", text) + " -m " + path("m.bw")).code, 0);
  const auto values = bellwether("predict " + path("m.bw") + " " + write("states.csv", "s\n1\n3\n") +
                                 " --interval -o " + path("v.jsonl"));
  ASSERT_EQ(values.code, 0) << values.err;
  std::ifstream lines(path("v.jsonl"));
  std::string line;
  std::getline(lines, line);
  const json seen = json::parse(line);
  EXPECT_EQ(seen["visits"], 60);
  std::getline(lines, line);
  const json never = json::parse(line);
  EXPECT_EQ(never["visits"], 0);
  // Values are 1 to 4, and none is below 0, as no reward is.
  EXPECT_EQ(never["low"], 0);
  EXPECT_GT(never["high"], 5);
  EXPECT_LT(seen["high"].get<double>() - seen["low"].get<double>(), 1);
}

/// Walks of ten steps over two variables, the first of which is the time and matters; `drift` is added to it from row
/// 2000 on. The value of a state is 10 minus its time.
std::string two_variables(int episodes, double drift) {
  std::string text = "a,b,reward,done\n";
  unsigned random = 1;
  for (int i = 0; i < episodes * 10; ++i) {
    random = random * 1664525U + 1013904223U;
    const double b = (random >> 8) % 1000 / 250.0;
    const double a = i % 10 + (i >= 2000 ? drift : 0);
    text += std::to_string(a) + "," + std::to_string(b) + ",1," + (i % 10 == 9 ? "1" : "0") + "\n";
  }
  return text;
}

TEST_F(LearnSupport, AStateThatIsNotInTheTableIsKnownAsNeverSeen) {
  const std::string log = write("log.csv", support_walks("", ""));
  ASSERT_EQ(bellwether("learn " + log + " -m " + path("m.bw")).code, 0);
  const auto predicted = [&](const std::string& state) {
    write("one.csv", "s\n" + state + "\n");
    const auto found =
        bellwether("predict " + path("m.bw") + " " + path("one.csv") + " --interval -o " + path("v.jsonl"));
    EXPECT_EQ(found.code, 0) << found.err;
    return json::parse(std::ifstream(path("v.jsonl")));
  };
  const json known = predicted("1");
  EXPECT_GT(known["visits"].get<double>(), 50);
  for (const char* state : {"3", "-1", "1e9", "1.4"}) {
    const json other = predicted(state);
    EXPECT_EQ(other["visits"], 0) << state;
    EXPECT_GT(other["high"].get<double>() - other["low"].get<double>(),
              known["high"].get<double>() - known["low"].get<double>())
        << state;
  }
}

TEST_F(LearnSupport, WithoutAnEndAndWithoutADiscountThereIsNoValue) {
  std::string log = "s,reward,terminated,truncated\n";
  for (int i = 0; i < 400; ++i) log += std::to_string(i % 4) + ",1,0," + (i % 20 == 19 ? "1" : "0") + "\n";
  const std::string file = write("log.csv", log);
  const auto without = bellwether("learn " + file);
  EXPECT_NE(without.out.find("value of the policy: none, as no episode ends in this log, and without a discount"),
            std::string::npos)
      << without.out;
  EXPECT_EQ(without.out.find("+-"), std::string::npos) << without.out;
  const json with = json::parse(bellwether("learn " + file + " --discount 0.9 --json").out)["targets"][0];
  EXPECT_NEAR(with["value"].get<double>(), 10, 0.5);
}

TEST_F(LearnSupport, ReturnsThatHardlyVaryAreNotSaidToDiffer) {
  std::string log = "s,reward,done\n";
  for (int i = 0; i < 3000; ++i) log += std::to_string(i % 100) + ",1," + (i % 100 == 99 ? "1" : "0") + "\n";
  const auto done = bellwether("learn " + write("log.csv", log) + " --discount 0.9");
  EXPECT_EQ(done.out.find("are far from the returns"), std::string::npos) << done.out;
}

TEST_F(LearnSupport, ADiscountThatReplacesAColumnIsSaid) {
  const std::string file = write("log.csv", support_walks(",discount", ",0.9"));
  const auto done = bellwether("learn " + file + " --discount 0.5");
  EXPECT_NE(done.out.find("discount: 0.5; of the column discount only zeros count, which end episodes\n"),
            std::string::npos)
      << done.out;
}

TEST_F(LearnSupport, OneOutlierDoesNotMakeAllOtherStatesAlike) {
  std::string text = two_variables(300, 0);
  text.insert(text.find('\n') + 1, "1e9,1,1,1\n");
  const std::string log = write("log.csv", text);
  const auto done = bellwether("learn " + log + " --state a,b -m " + path("m.bw"));
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("range of a: 0 to 18, without the outliers that reach from 0 to 1e+09"), std::string::npos)
      << done.out;
  EXPECT_NE(done.out.find("warning: 1 row (0.033 %) has a state beyond the ranges that the features were made for; the "
                          "first: " +
                          log + ": row 1, column 'a' is 1000000000, beyond 0 to 18."),
            std::string::npos)
      << done.out;
  const auto values = bellwether("predict " + path("m.bw") + " " + write("states.csv", "a,b\n1,2\n8,2\n"));
  double early = 0, late = 0;
  ASSERT_EQ(std::sscanf(values.out.c_str(), "row,value,visits\n1,%lf,%*f\n2,%lf", &early, &late), 2) << values.out;
  EXPECT_NEAR(early, 9, 1.5);
  EXPECT_NEAR(late, 2, 1.5);
}

TEST_F(LearnSupport, AStreamThatLeavesItsFirstRangeStillTellsStatesApart) {
  write("log.csv", two_variables(2000, 20));
  const auto done =
      Process({"/bin/sh", "-c", BELLWETHER_PROGRAM " learn - --state a,b -m " + path("m.bw") + " < " + path("log.csv")})
          .finish();
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("warning: 18,000 rows (90 %) have a state beyond the ranges"), std::string::npos) << done.out;
  const auto values = bellwether("predict " + path("m.bw") + " " + write("states.csv", "a,b\n21,2\n28,2\n1e6,2\n"));
  double early = 0, late = 0;
  ASSERT_EQ(std::sscanf(values.out.c_str(), "row,value,visits\n1,%lf,%*f\n2,%lf", &early, &late), 2) << values.out;
  EXPECT_GT(early - late, 2) << values.out;
  EXPECT_NE(values.out.find(",0\n"), std::string::npos) << "nothing is known of the last state: " << values.out;
}

TEST_F(LearnSupport, AStateBeyondWhatAFileHoldsIsKnownAsNeverSeen) {
  ASSERT_EQ(bellwether("learn " + write("log.csv", two_variables(300, 0)) + " --state a,b -m " + path("m.bw")).code, 0);
  const auto values =
      bellwether("predict " + path("m.bw") + " " + write("states.csv", "a,b\n5,2\n60,2\n") + " --interval");
  double visits = 0, low = 0, high = 0, never = -1;
  ASSERT_EQ(std::sscanf(values.out.c_str(), "row,value,low,high,visits\n1,%*f,%*f,%*f,%lf\n2,%*f,%lf,%lf,%lf", &visits,
                        &low, &high, &never),
            4)
      << values.out;
  EXPECT_GT(visits, 20);
  EXPECT_EQ(never, 0);
  EXPECT_GT(high - low, 5);
}

}  // namespace
}  // namespace bellwether::testing
