// Single runs of a study, repeated through the real program.
#include <filesystem>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/results/store_reader.h>

#include "cli/sweep_fixture.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::Finished;
using testing::SweepProgram;

/// The values of a curve with one metric as CSV.
std::vector<double> curve_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "step,rmse");
  std::vector<double> curve;
  while (std::getline(lines, line)) curve.push_back(std::stod(line.substr(line.find(',') + 1)));
  return curve;
}

TEST_F(SweepProgram, RepeatsASingleRun) {
  ASSERT_EQ(sweep().code, 0);
  const StoreReader reader(out);
  const auto settings = reader.settings(reader.studies().front().id);
  for (const auto& [index, seed] : {std::pair{0U, 0U}, {1U, 1U}, {7U, 29U}}) {
    const Finished finished =
        bellwether(fmt::format("sweep {} --out {} --only {}:{}", study, out, settings[index].id, seed));
    ASSERT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err.rfind(settings[index].record.label + " ", 0), 0U) << finished.err;
    EXPECT_NE(finished.err.find(fmt::format(", seed {}\n", seed)), std::string::npos) << finished.err;
    EXPECT_EQ(curve_of(finished.out), reader.runs(settings[index].id)[seed].curves.at(0));
  }
  const Finished diverged = bellwether(fmt::format("sweep {} --out {} --only 3", study, out));
  EXPECT_EQ(diverged.code, 0);
  EXPECT_NE(diverged.err.find("seed 0: diverged at step"), std::string::npos) << diverged.err;
}

TEST_F(SweepProgram, RepeatsTheRunOfASettingByTheIdThatResultsShow) {
  ASSERT_EQ(sweep({"--scale", "quick"}).code, 0);  // takes ids 1 to 10
  ASSERT_EQ(sweep({"--scale", "tiny"}).code, 0);
  const Finished shown = bellwether("results " + out + " --csv");
  std::istringstream lines(shown.out);
  std::string line;
  for (int i = 0; i <= 10; ++i) std::getline(lines, line);
  std::getline(lines, line);  // the best setting of the second study
  ASSERT_TRUE(line.starts_with("small,tiny,rmse,1,")) << line;
  const std::int64_t id = std::stoll(line.substr(std::string("small,tiny,rmse,1,").size()));
  EXPECT_GT(id, 10);
  const std::string command = fmt::format("sweep {} --out {} --only {}:1 --scale ", study, out, id);
  const Finished repeated = bellwether(command + "tiny");
  ASSERT_EQ(repeated.code, 0) << repeated.err;
  EXPECT_EQ(curve_of(repeated.out), StoreReader(out).runs(id)[1].curves.at(0));
  const Finished other = bellwether(command + "quick");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(
      other.err.find(fmt::format("small (quick) has no setting {}; bellwether results {} shows the ids", id, out)),
      std::string::npos)
      << other.err;
}

TEST_F(SweepProgram, RepeatsARunAlsoWithoutResults) {
  const Finished before = bellwether(fmt::format("sweep {} --out {} --only 2:29", study, out));
  ASSERT_EQ(before.code, 0) << before.err;
  EXPECT_FALSE(fs::exists(out));
  ASSERT_EQ(sweep().code, 0);
  EXPECT_EQ(curve_of(before.out), StoreReader(out).runs(2)[29].curves.at(0));
}

}  // namespace
}  // namespace bellwether
