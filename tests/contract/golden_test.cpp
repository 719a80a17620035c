// A signature of what every learner learns from a fixed stream. A change that is meant to be a refactoring may not move
// it; one that is meant to change results says so and renews the file:
//
//     BELLWETHER_RENEW_GOLDEN=1 build/dev/tests/test_contract --gtest_filter='Golden.*'
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>

#include "support/experience.h"

namespace bellwether {
namespace {

const char* const path = BELLWETHER_SOURCE_DIR "/tests/golden/learners.txt";

/// Two numbers that depend on every weight: w.w and the sum of w_j cos j.
std::array<double, 2> signature(const std::string& learner, Layout layout) {
  const auto steps =
      testing::Experience{
          .dim = 30, .steps = 2000, .active = 4, .binary = true, .off_policy = true, .end_probability = 0.3}
          .as(layout);
  Settings settings;
  for (const ParamInfo& p : find_entry(learners(), "learner", learner).params) {
    if (p.name == "alpha") settings.emplace_back("alpha", "0.01");
    if (p.name == "lambda") settings.emplace_back("lambda", "0.8");
  }
  const auto learned = make_learner(learner, 30, settings);
  learned->learn(steps.view());
  std::array<double, 2> sums{};
  const auto w = learned->weights();
  for (std::size_t j = 0; j < w.size(); ++j) {
    sums[0] += w[j] * w[j];
    sums[1] += w[j] * std::cos(static_cast<double>(j));
  }
  return sums;
}

TEST(Golden, LearnersLearnWhatTheyAlwaysLearned) {
  if (std::getenv("BELLWETHER_RENEW_GOLDEN") != nullptr) {
    std::ofstream file(path);
    for (const LearnerEntry& entry : learners()) {
      const auto sums = signature(entry.name, Layout::dense);
      file << fmt::format("{} {:.16e} {:.16e}\n", entry.name, sums[0], sums[1]);
    }
  }
  std::map<std::string, std::array<double, 2>> golden;
  std::ifstream file(path);
  for (std::string name; file >> name;) file >> golden[name][0] >> golden[name][1];
  ASSERT_EQ(golden.size(), learners().size()) << "a learner was added or removed: renew " << path;
  for (const LearnerEntry& entry : learners()) {
    ASSERT_TRUE(golden.contains(entry.name)) << entry.name;
    for (const Layout layout : {Layout::dense, Layout::sparse}) {
      const auto sums = signature(entry.name, layout);
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(sums[i], golden[entry.name][i], 1e-11 * std::abs(golden[entry.name][0])) << entry.name;
      }
    }
  }
}

}  // namespace
}  // namespace bellwether
