// Learners that are linear in the rewards: rewards times a power of two give weights times that power, bit for bit.
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bellwether/learners/learners.h>

#include "support/random_streams.h"
#include "support/references/reference.h"

namespace bellwether {
namespace {

using namespace testing;

/// Learners that are not linear in the rewards, and why.
const std::map<std::string, std::string>& reasons_for_not_linear() {
  static const std::map<std::string, std::string> all{
      {"tidbd", "its meta step has the units of 1/reward^2"},
      {"auto_tidbd", "its step sizes change by exp(theta delta u h / eta), whose exponential is rounded"},
      {"swift_td", "its meta step has the units of 1/reward^2"},
  };
  return all;
}

class EveryLinearLearner : public ::testing::TestWithParam<std::string> {};

std::vector<double> times_power(std::vector<double> w, int power) {
  for (double& value : w) value = std::ldexp(value, power);
  return w;
}

TEST_P(EveryLinearLearner, ScalesItsWeightsExactlyWithTheRewards) {
  std::size_t within_limits = 0;
  EXPECT_TRUE(rc::check([&] {
    Experience stream = random_stream();
    const double square = static_cast<double>(stream.active);
    const ReferenceCase drawn =
        references().at(GetParam())({.square = square, .dim = static_cast<Eigen::Index>(stream.dim)});
    stream.non_negative = drawn.non_negative;
    const BatchBuffer buffer =
        stream.as(stream.binary ? Layout::binary : *rc::gen::element(Layout::dense, Layout::sparse));
    const Batch plain = buffer.view();
    const int power = *rc::gen::element(1, -1) * *rc::gen::inRange(1, 491);
    std::vector<double> rewards(plain.reward, plain.reward + plain.size);
    for (double& r : rewards) r = std::ldexp(r, power);
    Batch scaled = plain;
    scaled.reward = rewards.data();

    // Errors above 1e50 are taken as divergence, so the larger rewards may end it earlier; up to there nothing differs.
    const auto learned = [&](const Batch& batch) {
      auto learner = make_learner(GetParam(), stream.dim, drawn.settings);
      learner->learn(batch);
      return learner;
    };
    const auto end = [&](const Batch& batch) { return learned(batch)->diverged_at().value_or(batch.size); };
    const std::size_t steps = std::min<std::size_t>(end(plain), end(scaled));
    const std::vector<double> weights = learned(plain.slice(0, steps))->weights();
    RC_ASSERT(learned(scaled.slice(0, steps))->weights() == times_power(weights, power));
    if (power <= 100 && max_size(weights) < 1e3 && end(plain) == plain.size) {
      RC_ASSERT(end(scaled) == plain.size);
      ++within_limits;
    }
  }));
  EXPECT_GT(within_limits, 30U);
}

std::vector<std::string> linear_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) {
    if (reasons_for_not_linear().count(entry.name) == 0) all.push_back(entry.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLinearLearner, ::testing::ValuesIn(linear_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace bellwether
