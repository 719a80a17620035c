#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/least_squares/equations/error_moments.h>
#include <bellwether/learners/least_squares/lstd_stream.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;

std::string finding(const Learner& learner, const std::string& name) {
  for (const auto& [key, value] : learner.findings()) {
    if (key == name) return value;
  }
  return {};
}

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// The definition, step by step.
double mean_of_errors(const Batch& steps, const std::vector<double>& v, double lambda) {
  double sum = 0;
  double h = 0;
  double discount = 0;
  for (std::size_t t = 0; t < steps.size; ++t) {
    const auto value = [&](const DenseView& x) { return kernels::dot(x, v.data()); };
    const double next = steps.discount[t] == 0 ? 0 : steps.discount[t] * value(steps.x_next.as<DenseView>(t));
    const double delta = steps.reward[t] + next - value(steps.x.as<DenseView>(t));
    h = discount * lambda * h + delta;
    sum += delta * h;
    discount = steps.discount[t];
  }
  return sum / static_cast<double>(steps.size);
}

TEST(ErrorMoments, AreThoseOfTheErrorsThatWeightsMake) {
  const Experience experience{.dim = 6, .steps = 300, .random_discount = true};
  const std::vector<double> v{0.3, -1, 0.5, 2, 0, -0.7};
  const BatchBuffer dense = experience.as(Layout::dense);
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    ErrorMoments moments(6);
    FiniteGuard guard;
    StepWalk walk;
    const LSTDStreamRule::Params params{.lambda = 0.7};
    const BatchBuffer steps = experience.as(layout);
    walk.through(steps.view(), params, guard, [&](const auto& s) {
      moments.add(s, s.r);
      return true;
    });
    EXPECT_NEAR(moments.mean_square(v.data()), mean_of_errors(dense.view(), v, 0), 1e-12);
    EXPECT_NEAR(moments.mean_traced(v.data()), mean_of_errors(dense.view(), v, 0.7), 1e-12);
  }
}

/// A process without structure: from each state to the next or to one of two others, with noise on the rewards.
struct RandomProcess {
  static constexpr std::size_t states = 40;
  static constexpr double discount = 0.95;

  RandomProcess() {
    Rng rng(3);
    for (std::size_t s = 0; s < states; ++s) {
      next[s] = {(s + 1) % states, rng.below(states), rng.below(states)};
      reward[s] = rng.normal();
    }
  }
  /// Behaviour draws one of `ways`; the target policy takes each of 0, 1 and 2 with the same probability.
  BatchBuffer steps(std::size_t n, std::uint64_t seed, const std::vector<std::size_t>& ways) const {
    BatchBuffer buffer(Layout::binary, states);
    Rng rng(seed);
    std::size_t s = 0;
    const auto show = [&] {
      buffer.x().add(static_cast<std::uint32_t>(s));
      buffer.x().end_row();
    };
    show();
    for (std::size_t t = 0; t < n; ++t) {
      const double noise = rng.normal();
      const std::size_t way = ways[rng.below(ways.size())];
      const auto often = static_cast<double>(std::count(ways.begin(), ways.end(), way));
      const double ratio = static_cast<double>(ways.size()) / (3 * often);
      buffer.add({.reward = reward[s] + noise, .discount = discount, .rho = ratio});
      s = next[s][way];
      show();
    }
    return buffer;
  }
  std::vector<double> values() const {
    std::vector<double> v(states, 0.0);
    for (int sweep = 0; sweep < 1000; ++sweep) {
      for (std::size_t s = 0; s < states; ++s) {
        v[s] = reward[s] + discount * (v[next[s][0]] + v[next[s][1]] + v[next[s][2]]) / 3;
      }
    }
    return v;
  }

  std::array<std::array<std::size_t, 3>, states> next{};
  std::array<double, states> reward{};
};

class LambdaChoice : public ::testing::TestWithParam<std::vector<std::size_t>> {};

TEST_P(LambdaChoice, TakesShortTracesWhereBootstrappingLosesNothing) {
  const RandomProcess process;
  const std::vector<double> values = process.values();
  double chosen = 0;
  double fixed = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const BatchBuffer steps = process.steps(3000, seed, GetParam());
    LSTDStream automatic(RandomProcess::states, {});
    LSTDStream longer(RandomProcess::states, {.lambda = 0.9});
    automatic.learn(steps.view());
    longer.learn(steps.view());
    EXPECT_EQ(finding(automatic, "lambda"), "0") << seed;
    EXPECT_EQ(finding(longer, "lambda"), "") << "it was given";
    chosen += root_mean_square(automatic.weights(), values);
    fixed += root_mean_square(longer.weights(), values);
  }
  EXPECT_LT(chosen, 0.9 * fixed);
}
INSTANTIATE_TEST_SUITE_P(OnAndOffPolicy, LambdaChoice,
                         ::testing::Values(std::vector<std::size_t>{0, 1, 2}, std::vector<std::size_t>{0, 0, 0, 1, 2}));

/// A way of 40 states in steps of one or two, at a cost of 1 each; a feature for every ten states. Without traces,
/// every state of ten is worth what the first of them is.
BatchBuffer way(std::size_t steps, std::uint64_t seed) {
  BatchBuffer buffer(Layout::binary, 4);
  Rng rng(seed);
  std::size_t at = 0;
  const auto show = [&] {
    buffer.x().add(static_cast<std::uint32_t>(at / 10));
    buffer.x().end_row();
  };
  show();
  for (std::size_t t = 0; t < steps; ++t) {
    at += 1 + rng.below(2);
    const bool ends = at >= 40;
    buffer.add({.reward = -1, .discount = ends ? 0.0 : 1.0});
    if (ends) at = 0;
    show();
  }
  return buffer;
}

TEST(LambdaChoiceOnPolicy, TakesLongTracesWhereFeaturesAreTooFew) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const BatchBuffer steps = way(3000, seed);
    LSTDStream automatic(4, {});
    LSTDStream longer(4, {.lambda = 0.9});
    LSTDStream shorter(4, {.lambda = 0});
    for (LSTDStream* each : {&automatic, &longer, &shorter}) each->learn(steps.view());
    EXPECT_EQ(finding(automatic, "lambda"), "0.9") << seed;
    EXPECT_LE(max_difference(automatic.weights(), longer.weights()), 0.1);
    EXPECT_GE(max_difference(shorter.weights(), longer.weights()), 1) << "there is something to choose";
  }
}

TEST(LambdaChoiceOnPolicy, IsNotMadeWhereStepsAreStoredOrForgotten) {
  const BatchBuffer steps = Experience{.steps = 2000}.as(Layout::sparse);
  const auto is_default = [](LSTDStreamRule::Params params, const Batch& batch) {
    LSTDStream automatic(8, params);
    params.lambda = default_lambda;
    LSTDStream given(8, params);
    automatic.learn(batch);
    given.learn(batch);
    return automatic.weights() == given.weights();
  };
  EXPECT_TRUE(is_default({.storage = Storage::steps}, steps.view()));
  EXPECT_TRUE(is_default({.half_life = 500}, steps.view()));
  EXPECT_TRUE(is_default({.spread = true}, steps.view()));
  EXPECT_FALSE(is_default({}, steps.view()));
}

}  // namespace
}  // namespace bellwether
