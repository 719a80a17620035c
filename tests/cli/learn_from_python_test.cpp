// Learning from files that Python packages have written.
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "support/data/python_data.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {
namespace {

using nlohmann::json;

class LearnFromPython : public FromPython {};

TEST_F(LearnFromPython, AMinariDatasetGivesWhatTheSameNumbersAsCsvGive) {
  // Beside the dataset of the real package are its numbers; there an empty cell is written nan.
  std::string text = read_file(python_data("cartpole.csv"));
  for (std::size_t at = 0; (at = text.find("nan", at)) != std::string::npos;) text.erase(at, 3);
  const TemporaryFolder folder;
  std::ofstream(folder.path("cartpole.csv")) << text;
  const auto weights = [&](const std::string& data) {
    const auto done = bellwether("learn " + data + " --discount 0.9 --weights " + folder.path("w.csv") + " --json");
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_GT(json::parse(done.out)["steps"], 500);
    EXPECT_EQ(json::parse(done.out)["steps_without_end"], 0);
    return read_file(folder.path("w.csv"));
  };
  const std::string dataset = python_data("minari/bellwether/cartpole-v0");
  EXPECT_TRUE(weights(dataset) == weights(folder.path("cartpole.csv")));
  EXPECT_TRUE(weights(dataset) == weights(dataset + "/data/main_data.hdf5"));
}

TEST_F(LearnFromPython, TheExampleOfAGymnasiumPolicyRuns) {
  const TemporaryFolder folder;
  const std::string recorded = BELLWETHER_SOURCE_DIR "/build/python/environment/bin/python " BELLWETHER_SOURCE_DIR
                                                     "/examples/gymnasium_policy.py 30 > " +
                               folder.path("log.csv");
  ASSERT_EQ(system(recorded.c_str()), 0);
  const auto done = bellwether("learn " + folder.path("log.csv") + " --discount 0.99 --features none");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find(" 30 episodes"), std::string::npos) << done.out;
}

TEST_F(LearnFromPython, EnvironmentsOfGymnasiumInTurnHaveTheirExactValue) {
  const double truth = std::stod(read_file(python_data("lakes_value.csv")).substr(6));
  EXPECT_LT(truth, -5);
  for (const char* options : {"", " --episode none"}) {
    const auto done = bellwether("learn " + python_data("lakes_in_turn.csv") + options + " --json");
    ASSERT_EQ(done.code, 0) << done.err;
    const json value = json::parse(done.out)["targets"][0];
    EXPECT_NEAR(value["value"].get<double>(), truth, 1.5 * value["half_width"].get<double>()) << options;
    EXPECT_LT(value["half_width"], 1) << options;
  }
}

TEST_F(LearnFromPython, EpisodesCutShortMakeNoIntervalExplode) {
  // A third of the episodes of CartPole are cut short after 50 steps; no value exceeds 1 / (1 - 0.99).
  const double truth = std::stod(read_file(python_data("cart_pole_value.csv")).substr(6));
  EXPECT_GT(truth, 30);
  const TemporaryFolder folder;
  const auto done =
      bellwether("learn " + python_data("cart_pole_cut.csv") + " --discount 0.99 --json -m " + folder.path("m.bw"));
  ASSERT_EQ(done.code, 0) << done.err;
  const json target = json::parse(done.out)["targets"][0];
  EXPECT_GT(json::parse(done.out)["episodes"].get<int>() - json::parse(done.out)["episodes_ended"].get<int>(), 40);
  EXPECT_NEAR(target["value"].get<double>(), truth, 1.5 * target["half_width"].get<double>());
  EXPECT_LT(target["half_width"], 4);
  const auto values = bellwether("predict " + folder.path("m.bw") + " " + python_data("cart_pole_cut.csv") +
                                 " --interval -o " + folder.path("v.jsonl"));
  ASSERT_EQ(values.code, 0) << values.err;
  std::ifstream lines(folder.path("v.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const json found = json::parse(line);
    ASSERT_GE(found["low"], 0) << line;
    ASSERT_LE(found["high"].get<double>(), 100 + 1e-9) << line;
  }
}

TEST_F(LearnFromPython, NestedObservationsAreFoundByTheirPath) {
  const auto done = bellwether("learn " + python_data("minari/bellwether/nested-v0") +
                               " --state observations/goal --discount 0.9 --features none --json");
  EXPECT_EQ(done.code, 0) << done.err;
}

TEST_F(LearnFromPython, StepsInNpzGiveTheWeightsOfTheSameStepsElsewhere) {
  const TemporaryFolder folder;
  const auto weights = [&](const std::string& name) {
    const auto done = bellwether("learn " + python_data(name) + " --learner lstd --resamples 0 --weights " +
                                 folder.path("w.npy") + " --json");
    EXPECT_EQ(done.code, 0) << done.err;
    return json::parse(done.out)["targets"][0]["value"].get<double>();
  };
  EXPECT_EQ(weights("dense.npz"), weights("compressed.npz"));
  EXPECT_NEAR(weights("dense.npz"), weights("csr.npz"), 1e-9);
}

}  // namespace
}  // namespace bellwether::testing
