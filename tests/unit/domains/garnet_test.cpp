#include <bellwether/domains/garnet.h>

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/experiment/stream.h>
#include <bellwether/learners/least_squares/lstd.h>
#include <bellwether/metrics/bellman_error.h>

#include "support/dense_algebra.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using testing::rejection;
using testing::Sample;

constexpr GarnetBehaviour behaviours[] = {GarnetBehaviour::on_policy, GarnetBehaviour::uniform,
                                          GarnetBehaviour::random};

/// What the arcs of an action in a state say of it.
struct Action {
  std::set<std::size_t> successors;
  std::set<double> rewards, ratios, targets;
  double probability = 0;
};

std::map<std::pair<std::size_t, int>, Action> actions_of(const Garnet& garnet) {
  std::map<std::pair<std::size_t, int>, Action> all;
  for (const auto& arc : garnet.model()->arcs) {
    Action& action = all[{arc.from, arc.action}];
    action.successors.insert(arc.to);
    action.rewards.insert(arc.reward);
    action.ratios.insert(arc.rho);
    action.targets.insert(arc.pi);
    action.probability += arc.probability;
  }
  return all;
}

TEST(Garnet, EveryActionHasAsManyDifferentSuccessorsAsItBranchesAndOneReward) {
  const Garnet garnet({.states = 30, .actions = 3, .branching = 4});
  EXPECT_EQ(garnet.model()->arcs.size(), 30U * 3 * 4);
  const auto actions = actions_of(garnet);
  EXPECT_EQ(actions.size(), 90U);
  for (const auto& entry : actions) {
    EXPECT_EQ(entry.second.successors.size(), 4U);
    EXPECT_EQ(entry.second.rewards.size(), 1U);
  }
}

TEST(Garnet, BranchingToEveryStateReachesThemAll) {
  const Garnet garnet({.states = 7, .actions = 2, .branching = 7});
  for (const auto& entry : actions_of(garnet)) EXPECT_EQ(entry.second.successors.size(), 7U);
}

TEST(Garnet, RatiosAreThoseOfTargetToBehaviour) {
  for (const auto behaviour : behaviours) {
    const Garnet garnet({.behaviour = behaviour});
    std::vector<double> target(garnet.model()->states, 0.0);
    for (const auto& [key, action] : actions_of(garnet)) {
      ASSERT_EQ(action.ratios.size(), 1U);
      ASSERT_EQ(action.targets.size(), 1U);
      const double pi = *action.targets.begin();
      const double rho = *action.ratios.begin();
      EXPECT_NEAR(rho * action.probability, pi, 1e-15);
      switch (behaviour) {
        case GarnetBehaviour::on_policy: EXPECT_EQ(rho, 1); break;
        case GarnetBehaviour::uniform: EXPECT_EQ(rho, 4 * pi); break;
        case GarnetBehaviour::random: EXPECT_LE(rho, 8 * pi * (1 + 1e-15)); break;
      }
      target[key.first] += pi;
    }
    for (const double sum : target) EXPECT_EQ(sum, 1) << "pieces of [0, 1] are exact";
  }
}

TEST(Garnet, IsDeterminedByItsInstance) {
  const auto rewards = [](std::int64_t instance) {
    const Garnet garnet({.instance = instance});
    std::vector<double> all;
    for (const auto& arc : garnet.model()->arcs) {
      all.insert(all.end(), {static_cast<double>(arc.to), arc.reward, arc.probability});
    }
    return all;
  };
  EXPECT_EQ(rewards(1), rewards(1));
  EXPECT_NE(rewards(1), rewards(2));
}

TEST(Garnet, BehaviourDoesNotChangeTheValues) {
  const auto expected = Garnet({}).model()->true_values();
  for (const auto behaviour : behaviours) {
    const auto values = Garnet({.behaviour = behaviour}).model()->true_values();
    for (std::size_t s = 0; s < values.size(); ++s) EXPECT_NEAR(values[s], expected[s], 1e-12);
  }
}

TEST(Garnet, CutsUniformlyAndDrawsNormalRewards) {
  // Of n pieces each has the second moment 2 / (n (n + 1)).
  Sample squares;
  Sample targets;
  Sample rewards;
  Sample reward_squares;
  for (std::int64_t instance = 1; instance <= 10; ++instance) {
    const Garnet garnet({.instance = instance, .behaviour = GarnetBehaviour::uniform});
    for (const auto& arc : garnet.model()->arcs) {
      const double P = 4 * arc.probability;
      squares.add(P * P);
    }
    for (const auto& entry : actions_of(garnet)) {
      const double reward = *entry.second.rewards.begin();
      const double pi = *entry.second.targets.begin();
      targets.add(pi * pi);
      rewards.add(reward);
      reward_squares.add(reward * reward);
    }
  }
  EXPECT_NEAR(squares.mean(), 2.0 / (5 * 6), 4 * squares.standard_error());
  EXPECT_NEAR(targets.mean(), 2.0 / (4 * 5), 4 * targets.standard_error());
  EXPECT_NEAR(rewards.mean(), 0, 4 * rewards.standard_error());
  EXPECT_NEAR(reward_squares.mean(), 1, 4 * reward_squares.standard_error());
}

Eigen::MatrixXd rows(const Garnet::Params& params, std::uint64_t seed, std::uint64_t run) {
  const Garnet garnet(params);
  return Exact(garnet, *garnet.features(seed, run)).X();
}

TEST(Garnet, BinaryFeaturesHaveAsManyOnesAsTold) {
  const Eigen::MatrixXd X = rows({.dim = 12, .ones = 3}, 1, 0);
  EXPECT_EQ(X.rows(), 100);
  EXPECT_EQ(X.cols(), 12);
  EXPECT_EQ(X.rowwise().sum(), Eigen::VectorXd::Constant(100, 3));
  EXPECT_EQ(X.maxCoeff(), 1);
  EXPECT_GT(X.colwise().sum().minCoeff(), 0) << "every feature is used";
}

TEST(Garnet, NormalFeaturesHaveMeanZeroAndVarianceOne) {
  const Eigen::MatrixXd X = rows({.features = GarnetFeatures::normal, .dim = 50}, 1, 0);
  Sample values;
  for (const double v : X.reshaped()) values.add(v);
  EXPECT_NEAR(values.mean(), 0, 4 * values.standard_error());
  EXPECT_NEAR(values.variance(), 1, 4 * std::sqrt(2.0 / static_cast<double>(values.size())));
}

TEST(Garnet, TabularFeaturesTellTheStates) {
  EXPECT_TRUE(rows({.features = GarnetFeatures::tabular}, 1, 0).isIdentity(0));
}

TEST(Garnet, RandomFeaturesAreAFunctionOfSeedAndRunAndNotOfTheInstance) {
  for (const auto features : {GarnetFeatures::binary, GarnetFeatures::normal}) {
    const Eigen::MatrixXd X = rows({.features = features}, 1, 0);
    EXPECT_EQ(rows({.instance = 2, .features = features}, 1, 0), X);
    EXPECT_NE(rows({.features = features}, 1, 1), X);
    EXPECT_NE(rows({.features = features}, 2, 0), X);
  }
}

TEST(Garnet, RejectsMoreSuccessorsThanStatesAndMoreOnesThanFeatures) {
  EXPECT_EQ(rejection([] { Garnet garnet({.states = 4, .branching = 5}); }),
            "garnet: branching = 5 is above states = 4");
  EXPECT_EQ(rejection([] { Garnet garnet({.dim = 4, .ones = 5}); }), "garnet: ones = 5 is above dim = 4");
  EXPECT_EQ(rejection([] { Garnet garnet({.features = GarnetFeatures::normal, .dim = 4, .ones = 5}); }), "accepted")
      << "normal features have no ones";
}

double smallest_of_symmetric_part(const Eigen::MatrixXd& A) {
  return testing::symmetric_eigenvalues((A + A.transpose()) / 2)[0];
}

/// Small and sparse, with behaviour away from the target: where off-policy learning is hard.
Garnet hard(std::int64_t instance) {
  return Garnet({.states = 5,
                 .actions = 2,
                 .branching = 1,
                 .discount = 0.99,
                 .instance = instance,
                 .behaviour = GarnetBehaviour::uniform,
                 .features = GarnetFeatures::normal,
                 .dim = 2});
}

TEST(Garnet, EmphaticKeyMatrixIsPositiveWherePlainOnesAreNot) {
  int plain_fails = 0;
  for (std::int64_t instance = 1; instance <= 100; ++instance) {
    const Garnet garnet = hard(instance);
    const Exact exact(garnet, *garnet.features(1));
    for (const double lambda : {0.0, 0.5}) {
      const Eigen::MatrixXd A = exact.system(lambda, Weighting::emphatic).A;
      EXPECT_GT(smallest_of_symmetric_part(A), -1e-13 * A.norm()) << "instance " << instance;
    }
    if (smallest_of_symmetric_part(exact.system(0).A) < -1e-6) ++plain_fails;
  }
  EXPECT_GT(plain_fails, 5);
  EXPECT_LT(plain_fails, 50);
}

TEST(Garnet, ExpectedTDDivergesOnAnInstanceThatTheHelpNames) {
  const Garnet garnet = hard(393);
  const Exact exact(garnet, *garnet.features(1));
  EXPECT_LT(testing::eigenvalues(exact.system(0).A).real().minCoeff(), -0.1);
  const Eigen::MatrixXd emphatic = exact.system(0, Weighting::emphatic).A;
  EXPECT_GT(testing::eigenvalues(emphatic).real().minCoeff(), 0);
}

TEST(Garnet, KeyMatrixIsPositiveOnPolicy) {
  for (std::int64_t instance = 1; instance <= 20; ++instance) {
    const Garnet garnet({.states = 20, .branching = 2, .discount = 0.99, .instance = instance, .dim = 8, .ones = 3});
    const Exact exact(garnet, *garnet.features(1));
    EXPECT_GT(smallest_of_symmetric_part(exact.system(0).A), 0) << "instance " << instance;
  }
}

TEST(Garnet, ProjectedBellmanErrorOfLSTDFallsAsOneOverTheSteps) {
  // b - A w has the covariance of averages. The mean over runs of its square spreads by a fifth, that is by a quarter
  // for the ratio of two: four times that is one.
  for (const auto behaviour : behaviours) {
    const Garnet garnet(
        {.states = 30, .actions = 3, .branching = 3, .discount = 0.9, .behaviour = behaviour, .dim = 8, .ones = 3});
    const std::shared_ptr<const FeatureMap> features = garnet.features(1);
    BellmanError error = BellmanError::projected(Exact(garnet, *features), 0.4);
    Sample early;
    Sample late;
    for (std::uint64_t run = 0; run < 8; ++run) {
      LSTD learner(8, {.lambda = 0.4, .inverse_init = 1e3});
      Stream stream(garnet, features, 1, run);
      learner.learn(stream.next(1000));
      early.add(error(learner));
      learner.learn(stream.next(15000));
      late.add(error(learner));
    }
    EXPECT_NEAR(std::log(16 * late.mean() / early.mean()), 0, 1);
  }
}

}  // namespace
}  // namespace bellwether
