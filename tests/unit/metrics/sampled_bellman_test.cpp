#include <bellwether/metrics/sampled_bellman.h>

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/domains/all.h>
#include <bellwether/learners/td/td.h>
#include <bellwether/metrics/bellman_error.h>

#include "support/allocations.h"
#include "support/dense_algebra.h"
#include "support/domains/two_states.h"
#include "support/random_vectors.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using testing::allocations;
using testing::RandomVectors;
using testing::rejection;
using testing::Sample;
using testing::TwoStates;

std::shared_ptr<const TransitionSample> sample_of(const Domain& domain, std::size_t steps, std::uint64_t run = 0) {
  return std::make_shared<TransitionSample>(domain, *domain.features(1), steps, 1, run);
}

TD with_weights(const Eigen::VectorXd& w) {
  TD learner(static_cast<std::size_t>(w.size()), {});
  learner.start_from({w.data(), learner.dim()});
  return learner;
}

Eigen::MatrixXd dense(const FeatureRows& rows) {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.rows), static_cast<Eigen::Index>(rows.dim));
  for (std::size_t t = 0; t < rows.rows; ++t) {
    visit(rows.row(t), [&](auto x) {
      x.for_each([&](std::size_t j, double v) { X(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(j)) = v; });
    });
  }
  return X;
}

/// A small off-policy process, on which products of ratios with lambda = 1/2 have finite variance.
Garnet off_policy_garnet() {
  return Garnet({.states = 20,
                 .actions = 3,
                 .branching = 3,
                 .discount = 0.9,
                 .behaviour = GarnetBehaviour::uniform,
                 .dim = 6,
                 .ones = 2});
}

TEST(TransitionSample, IsAFunctionOfSeedAndRun) {
  const Garnet garnet({});
  EXPECT_EQ(sample_of(garnet, 100)->first().reward, sample_of(garnet, 100)->first().reward);
  EXPECT_NE(sample_of(garnet, 100)->first().reward, sample_of(garnet, 100, 1)->first().reward);
}

TEST(TransitionSample, StepsOutOfEachStateTwice) {
  // In two states, off-policy, the next state tells the action: 2 rho - 1 is +1 for a move, -1 for staying.
  const TwoStates chain(true);
  const auto sample = sample_of(chain, 2000);
  const Eigen::MatrixXd x = dense(sample->states());
  const Eigen::MatrixXd second = dense(sample->second_states());
  Sample product;
  for (std::size_t t = 0; t < sample->size(); ++t) {
    const auto i = static_cast<Eigen::Index>(t);
    EXPECT_EQ(x(i + 1) != x(i), sample->first().rho[t] == 2);
    EXPECT_EQ(second(i) != x(i), sample->second().rho[t] == 2);
    product.add((sample->first().rho[t] - 1) * (sample->second().rho[t] - 1));
  }
  EXPECT_NEAR(product.mean(), 0, 4 * product.standard_error()) << "the two are independent";
}

/// The moment itself as two features, counted down from the largest number.
class MomentFeatures final : public FeatureMap {
 public:
  std::string_view type() const override { return "moment"; }
  Layout layout() const override { return Layout::dense; }
  std::size_t dim() const override { return 2; }
  std::size_t max_active() const override { return 2; }
  void write(std::span<const double>, Moment moment, RowBuffer& rows) const override {
    rows.add(0, static_cast<double>(~moment.step));
    rows.add(1, static_cast<double>(~moment.episode));
  }
};

TEST(TransitionSample, MeetsEveryStateAtAMomentOfItsOwnFarFromThoseOfTraining) {
  const BoyanChain chain({});
  const TransitionSample sample(chain, MomentFeatures(), 50, 1);
  std::set<double> steps;
  double episode = 0;
  for (std::size_t t = 0; t <= 50; ++t) {
    const double* moment = sample.states().as<DenseView>(t).values;
    steps.insert(moment[0]);
    EXPECT_EQ(moment[1], episode);
    if (t == 50) break;
    const double* second = sample.second_states().as<DenseView>(t).values;
    steps.insert(second[0]);
    EXPECT_EQ(second[1], episode);
    if (sample.first().discount[t] == 0) ++episode;
  }
  EXPECT_GT(episode, 1);
  EXPECT_EQ(steps.size(), 101U);
  EXPECT_LT(*steps.rbegin(), 200) << "as counted from 2^64 downwards";
}

TEST(SampledBellmanError, OfTwoStatesWithoutChanceIsThatByHand) {
  // Nothing is random on-policy: over an even number of steps the error is (1 + 9) / 2, as computed exactly.
  const TwoStates chain;
  SampledBellmanError error(sample_of(chain, 10));
  EXPECT_NEAR(error(with_weights(Eigen::VectorXd::Constant(1, 2))), 5, 1e-14);
}

TEST(SampledProjectedBellmanError, OfTwoStatesWithoutChanceIsThatByHand) {
  const TwoStates chain;
  SampledProjectedBellmanError error(sample_of(chain, 10), 0);
  EXPECT_NEAR(error(with_weights(Eigen::VectorXd::Constant(1, 2))), 2.5, 1e-14);
  EXPECT_EQ(error.iterations(), 1) << "one feature is one iteration";
}

/// Of independent samples of 20000 steps at the same weights.
template <class Make>
Sample measured(const Domain& domain, const Eigen::VectorXd& w, Make make) {
  const TD learner = with_weights(w);
  Sample values;
  for (std::uint64_t run = 0; run < 12; ++run) values.add(make(sample_of(domain, 20000, run))(learner));
  return values;
}

void expect_near_exact(const Domain& domain) {
  SCOPED_TRACE(domain.type());
  const Exact exact(domain, *domain.features(1));
  const Eigen::VectorXd w = exact.system(0).solution() + 3 * RandomVectors(3).vector(exact.X().cols());
  const TD learner = with_weights(w);
  const Sample msbe = measured(domain, w, [](auto sample) { return SampledBellmanError(sample); });
  const double expected = BellmanError::mean_squared(exact)(learner);
  EXPECT_NEAR(msbe.mean(), expected, 4 * msbe.standard_error());
  EXPECT_LT(msbe.standard_error(), 0.03 * expected);
  for (const double lambda : {0.0, 0.5}) {
    const Sample mspbe =
        measured(domain, w, [lambda](auto sample) { return SampledProjectedBellmanError(sample, lambda); });
    const double projected = BellmanError::projected(exact, lambda)(learner);
    EXPECT_NEAR(mspbe.mean(), projected, 4 * mspbe.standard_error()) << "lambda " << lambda;
    EXPECT_LT(mspbe.standard_error(), 0.03 * projected) << "lambda " << lambda;
  }
}

TEST(SampledBellman, ErrorsTendToTheExactOnesOnPolicy) {
  expect_near_exact(BoyanChain({}));
  expect_near_exact(Garnet({.states = 20, .actions = 3, .branching = 3, .dim = 6, .ones = 2}));
}

TEST(SampledBellman, ErrorsTendToTheExactOnesOffPolicy) {
  expect_near_exact(Collision({}));
  expect_near_exact(off_policy_garnet());
}

TEST(SampledBellmanError, OfTheTrueValuesIsZeroOnAverage) {
  // The chain's rewards and successors vary, so that the mean of delta^2 is far from zero; that of delta delta' is not.
  const BoyanChain chain({});
  const Sample error = measured(chain, Eigen::Vector4d(-24, -16, -8, 0), [](auto s) { return SampledBellmanError(s); });
  EXPECT_NEAR(error.mean(), 0, 4 * error.standard_error());
  EXPECT_LT(error.standard_error(), 0.01);
}

TEST(SampledProjectedBellmanError, IsBiasedByTheNoiseInEachDirectionOfTheFeatures) {
  // At the true values y is noise alone, independent given the states, so n times the error expects
  // tr(C^-1 X^T D V X) with V the variance of delta in each state: the two successors of a state differ by 2 in value,
  // so V = 1, but in state 1, which has a single one.
  const BoyanChain chain({});
  const Exact exact(chain, *chain.features());
  Eigen::VectorXd weights = exact.d();
  weights[0] = 0;
  const Eigen::MatrixXd& X = exact.X();
  const Eigen::MatrixXd C = X.transpose() * exact.d().asDiagonal() * X;
  const double expected = (testing::inverse(C) * (X.transpose() * weights.asDiagonal() * X)).trace();
  constexpr std::size_t n = 1000;
  const TD learner = with_weights(Eigen::Vector4d(-24, -16, -8, 0));
  Sample bias;
  for (std::uint64_t run = 0; run < 400; ++run) {
    bias.add(n * SampledProjectedBellmanError(sample_of(chain, n, run), 0)(learner));
  }
  EXPECT_NEAR(bias.mean(), expected, 4 * bias.standard_error());
  EXPECT_GT(expected, 3) << "of four features";
}

TEST(SampledProjectedBellmanError, IsTheQuadraticFormOfLstdsAverages) {
  // g = b - A w with A and b formed by traces, C dense and perhaps singular (Baird's features are).
  const Baird baird({});
  const BoyanChain chain({});
  const Collision collision({});
  const Garnet garnet({.behaviour = GarnetBehaviour::random, .features = GarnetFeatures::normal});
  for (const Domain* domain : std::initializer_list<const Domain*>{&baird, &chain, &collision, &garnet}) {
    const auto sample = sample_of(*domain, 500);
    const Eigen::MatrixXd X = dense(sample->visited());
    const Eigen::MatrixXd C = X.transpose() * X / 500;
    const Eigen::VectorXd w = RandomVectors(2).vector(X.cols());
    for (const double lambda : {0.0, 0.3}) {
      const auto [A, b] = sample->system(lambda);
      const Eigen::VectorXd g = b - A * w;
      const double expected = g.dot(testing::shortest_solution(C, g));
      SampledProjectedBellmanError error(sample, lambda);
      EXPECT_NEAR(error(with_weights(w)), expected, 1e-8 * expected) << domain->type() << ", lambda " << lambda;
      EXPECT_TRUE(error.converged());
      EXPECT_LE(error.iterations(), 2 * X.cols());
    }
  }
}

TEST(SampledProjectedBellmanError, TakesThousandsOfFeaturesWithoutAMatrix) {
  // 100 random rows of 8192 features are independent, so the fit is free in each state, as with tabular ones: the mean
  // over the visits of the squared average of y in the state.
  const Garnet garnet({.features = GarnetFeatures::binary, .dim = 8192, .ones = 800});
  const Garnet tabular({.features = GarnetFeatures::tabular});
  const auto sample = sample_of(garnet, 1000);
  const auto states = sample_of(tabular, 1000);
  const TD learner(8192, {});  // of no weight, so that y = r
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(100);
  Eigen::VectorXd visits = sum;
  for (std::size_t t = 0; t < 1000; ++t) {
    const auto s = static_cast<Eigen::Index>(states->visited().as<BinaryView>(t).indices[0]);
    sum[s] += states->first().reward[t];
    visits[s] += 1;
  }
  const double expected = sum.cwiseAbs2().cwiseQuotient(visits.cwiseMax(1)).sum() / 1000;
  SampledProjectedBellmanError error(sample, 0);
  EXPECT_NEAR(error(learner), expected, 1e-8 * expected);
  EXPECT_TRUE(error.converged());
}

TEST(SampledProjectedBellmanError, VanishesAtTheFixedPointOfTheSample) {
  const Garnet garnet = off_policy_garnet();
  const auto sample = sample_of(garnet, 2000);
  for (const double lambda : {0.0, 0.5}) {
    const Eigen::VectorXd w = sample->system(lambda).solution();
    const TD learner = with_weights(w);
    EXPECT_LT(SampledProjectedBellmanError(sample, lambda)(learner), 1e-20);
    EXPECT_LT(fixed_point_distance(*sample, lambda)(learner), 1e-12);
  }
}

TEST(SampledProjectedBellmanError, OfValuesBeyondAllNumbersIsInfinite) {
  // The learner keeps finite weights, but the squares of errors of this size are infinite.
  const TwoStates chain;
  SampledProjectedBellmanError error(sample_of(chain, 10), 0);
  EXPECT_EQ(error(with_weights(Eigen::VectorXd::Constant(1, 1e200))), infinity);
  EXPECT_FALSE(error.converged());
}

TEST(SampledFixedPoint, TendsToTheExactOne) {
  // From sample to sample the weights spread around those of the chain.
  const Garnet garnet = off_policy_garnet();
  const Exact exact(garnet, *garnet.features(1));
  for (const double lambda : {0.0, 0.5}) {
    const Eigen::VectorXd expected = exact.system(lambda).solution();
    std::vector<Sample> weights(static_cast<std::size_t>(expected.size()));
    for (std::uint64_t run = 0; run < 12; ++run) {
      const Eigen::VectorXd w = sample_of(garnet, 20000, run)->system(lambda).solution();
      for (std::size_t j = 0; j < weights.size(); ++j) weights[j].add(w[static_cast<Eigen::Index>(j)]);
    }
    for (std::size_t j = 0; j < weights.size(); ++j) {
      EXPECT_NEAR(weights[j].mean(), expected[static_cast<Eigen::Index>(j)], 4.5 * weights[j].standard_error());
    }
  }
}

TEST(SampledFixedPoint, DistanceIsTheRootMeanSquareOverVisits) {
  // On-policy over an even number of steps the sample has the chain's own averages with lambda = 0: w* = 1/3.
  const TwoStates chain;
  Evaluator distance = fixed_point_distance(*sample_of(chain, 10), 0);
  EXPECT_NEAR(distance(with_weights(Eigen::VectorXd::Constant(1, 1))), std::sqrt(10.0 / 9), 1e-14);
}

TEST(SampledFixedPoint, OfTooManyFeaturesIsRejected) {
  const RandomWalk walk({.size = 4097});
  EXPECT_EQ(rejection([&] { fixed_point_distance(*sample_of(walk, 1), 0); }),
            "transition sample: the fixed point of 4097 features is outside [1, 4096]");
}

TEST(SampledBellman, MeasuringAllocatesNothingAfterTheFirstTime) {
  const Collision collision({});
  const auto sample = sample_of(collision, 100);
  SampledBellmanError whole(sample);
  SampledProjectedBellmanError projected(sample, 0.5);
  Evaluator distance = fixed_point_distance(*sample, 0.5);
  const TD learner = with_weights(Eigen::VectorXd::Ones(6));
  double sum = whole(learner) + projected(learner) + distance(learner);
  const std::size_t before = allocations();
  sum += whole(learner) + projected(learner) + distance(learner);
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(sum, 0);
}

TEST(TransitionSample, RejectsAnEmptyTrajectory) {
  EXPECT_EQ(rejection([] { sample_of(BoyanChain({}), 0); }), "transition sample: steps = 0 is outside [1, inf)");
}

}  // namespace
}  // namespace bellwether
