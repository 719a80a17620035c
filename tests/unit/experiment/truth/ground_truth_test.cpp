#include <bellwether/experiment/truth/ground_truth.h>

#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include <bellwether/core/finite_domain.h>
#include <bellwether/domains/all.h>
#include <bellwether/experiment/truth/value_cache.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::rejection;

TEST(GroundTruth, IsEveryStateOfAFiniteChainUnlessAskedOtherwise) {
  const BoyanChain chain({});
  const GroundTruth truth = ground_truth(chain, {});
  ASSERT_EQ(truth.size(), 12U);
  EXPECT_EQ(truth.truth, Truth::exact);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(truth.state(i)[0], static_cast<double>(i + 1));
    EXPECT_NEAR(truth.values[i], -2 * static_cast<double>(i + 1), 1e-12);
    EXPECT_EQ(truth.standard_error[i], 0);
  }
}

TEST(GroundTruth, WeighsStatesByVisitsOnRequest) {
  const Collision collision({});
  EXPECT_TRUE(ground_truth(collision, {}).weights.empty());
  const GroundTruth truth = ground_truth(collision, {.weights = StateWeights::visits});
  EXPECT_EQ(truth.weights, collision.model()->visit_distribution());
  EXPECT_EQ(truth.evaluation_set(*collision.features()).weights(), truth.weights);
  EXPECT_TRUE(ground_truth(collision, {.states = 5, .weights = StateWeights::visits}).weights.empty());
}

TEST(GroundTruth, SamplesStatesAsOftenAsTheyAreVisited) {
  const Collision collision({});
  constexpr std::int64_t n = 20000;
  const GroundTruth truth = ground_truth(collision, {.states = n});
  const std::vector<double> visits = collision.model()->visit_distribution();
  std::map<double, double> count;
  for (std::size_t i = 0; i < truth.size(); ++i) ++count[truth.state(i)[0]];
  for (std::size_t s = 0; s < visits.size(); ++s) {
    const double share = count[static_cast<double>(s + 1)] / n;
    // Neighbouring steps are dependent: half a dozen make an episode.
    EXPECT_NEAR(share, visits[s], 4 * std::sqrt(6 * visits[s] / n)) << s + 1;
  }
}

TEST(GroundTruth, TakesEveryStateOfATrajectoryAsLongAsTheSample) {
  const MountainCar car({.randomness = 0});
  const GroundTruth truth = ground_truth(car, {.states = 300, .trajectory = 300});
  int ends = 0;
  for (std::size_t i = 0; i + 1 < truth.size(); ++i) {
    // Without randomness the value of a state is one less than that of the next, unless an episode ends between.
    if (truth.values[i] == -1) ++ends;
    else EXPECT_EQ(truth.values[i] + 1, truth.values[i + 1]) << i;
  }
  EXPECT_EQ(ends, 2);
}

/// Mean and standard deviation of the z-scores of Monte-Carlo values.
void expect_agreement(const Domain& domain, const EvaluationParams& params) {
  const GroundTruth sampled = ground_truth(domain, params, 2);
  ASSERT_EQ(sampled.truth, Truth::mc);
  std::vector<double> exact(sampled.size());
  ASSERT_TRUE(domain.true_values(sampled.states, exact));
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ASSERT_GT(sampled.standard_error[i], 0);
    const double z = (sampled.values[i] - exact[i]) / sampled.standard_error[i];
    sum += z;
    squares += z * z;
  }
  const auto n = static_cast<double>(exact.size());
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), 1, 4 / std::sqrt(2 * n));
}

TEST(GroundTruth, MonteCarloValuesAgreeWithExactOnes) {
  expect_agreement(RandomWalk({}), {.states = 400, .truth = Truth::mc, .rollouts = 200});
}

TEST(GroundTruth, RollsOutTheTargetPolicyWhereBehaviourIsAnother) {
  const MountainCar off({.randomness = 0.1, .behaviour = 0.5});
  const MountainCar on({.randomness = 0.1});
  const EvaluationParams params{.states = 20, .trajectory = 20, .rollouts = 50};
  const GroundTruth of_off = ground_truth(off, params);
  ASSERT_EQ(of_off.size(), 20U);
  // From the same states the target alone yields the same returns.
  std::vector<double> state(of_off.state(3).begin(), of_off.state(3).end());
  Rng rng(1, 2 + 3, Purpose::evaluation);
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    std::vector<double> scratch = state;
    do --sum;
    while (on.step(rng, scratch).discount > 0);
  }
  EXPECT_NEAR(of_off.values[3], sum / 50, 1e-10);
}

TEST(GroundTruth, DoesNotDependOnThreadsAndRepeatsFromItsSeed) {
  const MountainCar car({});
  const EvaluationParams params{.states = 30, .rollouts = 5};
  const GroundTruth one = ground_truth(car, params, 1);
  const GroundTruth three = ground_truth(car, params, 3);
  EXPECT_EQ(one.states, three.states);
  EXPECT_EQ(one.values, three.values);
  EXPECT_EQ(one.standard_error, three.standard_error);
  EvaluationParams other = params;
  other.truth_seed = 2;
  EXPECT_NE(ground_truth(car, other).states, one.states);
}

/// A domain that counts its steps, and can be told to behave differently under the same name.
class Counted final : public Domain {
 public:
  std::string_view type() const override { return "counted"; }
  Settings settings() const override { return {{"a", "1"}}; }
  const std::vector<Variable>& variables() const override { return variables_; }
  const std::vector<std::string>& actions() const override { return actions_; }
  void start(Rng&, std::span<double> state) const override { state[0] = 0; }
  Outcome step(Rng& rng, std::span<double>) const override {
    ++steps;
    return {.reward = reward, .discount = rng.uniform() < 0.1 ? 0.0 : 1.0};
  }
  bool true_values(std::span<const double>, std::span<double>) const override { return false; }
  std::unique_ptr<FeatureMap> features(std::uint64_t, std::uint64_t) const override { return nullptr; }

  mutable int steps = 0;
  double reward = 1;

 private:
  std::vector<Variable> variables_{{"nothing", 0, 0}};
  std::vector<std::string> actions_;
};

class KeptTruth : public ::testing::Test {
 protected:
  /// The values, and how many steps were simulated to find them.
  std::pair<std::vector<double>, int> find(const EvaluationParams& params) {
    domain_.steps = 0;
    const GroundTruth truth = ground_truth(domain_, params, 1, folder_.path());
    EXPECT_EQ(truth.truth, Truth::mc);
    EXPECT_GT(truth.standard_error[0], 0);
    return {truth.values, domain_.steps};
  }

  testing::TemporaryFolder folder_;
  Counted domain_;
  EvaluationParams params_{.states = 10, .rollouts = 100};
};

TEST_F(KeptTruth, IsNotComputedTwice) {
  const auto first = find(params_);
  const auto second = find(params_);
  EXPECT_EQ(first.first, second.first);
  EXPECT_GT(first.second, 5000);
  EXPECT_LT(second.second, 1000);
}

TEST_F(KeptTruth, IsComputedAgainWhenItsFileIsDamaged) {
  const auto first = find(params_);
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    fs::resize_file(entry.path(), fs::file_size(entry.path()) - 3);
  }
  const auto second = find(params_);
  EXPECT_EQ(second.first, first.first);
  EXPECT_EQ(second.second, first.second);
  EXPECT_LT(find(params_).second, 1000) << "the damaged file was replaced";
}

TEST_F(KeptTruth, IsComputedAgainWhenAnythingThatDeterminesItChanges) {
  const int cold = find(params_).second;
  params_.horizon = 1000;
  EXPECT_EQ(find(params_).second, cold);
  params_.truth_seed = 7;
  EXPECT_GT(find(params_).second, 5000);
  domain_.reward = 2;  // the same name and settings, another domain
  EXPECT_GT(find(params_).second, 5000);
}

TEST(GroundTruth, RejectsWhatCannotBe) {
  const MountainCar car({});
  EXPECT_EQ(rejection([&] { ground_truth(car, {.truth = Truth::exact}); }),
            "evaluation: truth = exact, but mountain_car does not know its values");
  EXPECT_EQ(rejection([&] { ground_truth(car, {.states = 10, .trajectory = 9}); }),
            "evaluation: 10 states cannot be sampled from a trajectory of 9 steps");
  EXPECT_EQ(rejection([&] { ground_truth(car, {.rollouts = 1}); }),
            "evaluation: rollouts = 1 is outside [2, 1000000000]");
}

}  // namespace
}  // namespace bellwether
