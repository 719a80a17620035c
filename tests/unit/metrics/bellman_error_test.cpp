#include <bellwether/metrics/bellman_error.h>

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/domains/all.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/td/td.h>

#include "support/allocations.h"
#include "support/dense_algebra.h"
#include "support/domains/two_states.h"
#include "support/random_vectors.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::allocations;
using testing::RandomVectors;
using testing::rejection;
using testing::shortest_solution;
using testing::TwoStates;

TD with_weights(std::vector<double> w) {
  TD learner(w.size(), {});
  learner.start_from(w);
  return learner;
}

double at(BellmanError error, const Eigen::VectorXd& v) {
  return error.of({v.data(), static_cast<std::size_t>(v.size())});
}

TEST(BellmanError, OfTwoStatesIsThatByHand) {
  // w = 2: v = (2, 4), T v - v = (1 + 4/2 - 2, 2/2 - 4) = (1, -3), of mean square (1 + 9) / 2 = 5.
  const TD learner = with_weights({2});
  for (const bool off_policy : {false, true}) {
    const TwoStates chain(off_policy);
    EXPECT_NEAR(BellmanError::mean_squared(Exact(chain, *chain.features()))(learner), 5, 1e-14);
  }
}

TEST(BellmanError, ProjectedOfTwoStatesIsThatByHand) {
  // lambda = 0: g = (1 * 1 + 2 * -3) / 2 = -5/2 and C = (1 + 4) / 2 = 5/2, so g^2 / C = 5/2.
  // lambda = 1/2: y = (1, -3) + P y / 2 = (4, -44) / 15, g = (4 - 88) / 30 = -14/5, g^2 / C = 3.136.
  const TD learner = with_weights({2});
  for (const bool off_policy : {false, true}) {
    const TwoStates chain(off_policy);
    const Exact exact(chain, *chain.features());
    EXPECT_NEAR(BellmanError::projected(exact, 0)(learner), 2.5, 1e-14);
    EXPECT_NEAR(BellmanError::projected(exact, 0.5)(learner), 3.136, 1e-14);
  }
}

TEST(BellmanError, ProjectedByEmphasisOfTwoStatesIsThatByHand) {
  // Interest in the first state alone: f = (1/2, 0) + P^T f = (2, 1) / 3, which sums to one already.
  // g = 2/3 * 1 * 1 + 1/3 * 2 * -3 = -4/3 and C = 2/3 + 4/3 = 2, so g^2 / C = 8/9.
  const TwoStates chain;
  const Exact exact(chain, *chain.features(), std::vector<double>{1, 0});
  EXPECT_NEAR(BellmanError::projected(exact, 0, Weighting::emphatic)(with_weights({2})), 8.0 / 9, 1e-14);
  // An interest three times as large changes no mean.
  const Exact more(chain, *chain.features(), std::vector<double>{3, 0});
  EXPECT_NEAR(BellmanError::projected(more, 0, Weighting::emphatic)(with_weights({2})), 8.0 / 9, 1e-14);
}

TEST(BellmanError, DistanceToTheFixedPointOfTwoStatesIsThatByHand) {
  // A = (1 * (1 - 1) + 2 * (2 - 1/2)) / 2 = 3/2 and b = 1/2, so w* = 1/3; w = 1 is off by (2/3, 4/3).
  const TwoStates chain;
  const Exact exact(chain, *chain.features());
  EXPECT_NEAR(exact.system(0).solution()[0], 1.0 / 3, 1e-15);
  EXPECT_NEAR(fixed_point_distance(exact, 0)(with_weights({1})), std::sqrt(10.0 / 9), 1e-14);
}

/// Calls f(exact, v, w, lambda, weighting) for every finite domain, for values of some weights.
template <class F>
void for_each_case(F f) {
  RandomVectors random;
  for (const auto& entry : domains()) {
    const auto domain = entry.make({});
    if (domain->model() == nullptr) continue;
    SCOPED_TRACE(entry.name);
    const Exact exact(*domain, *domain->features(1));
    const Eigen::VectorXd w = random.vector(exact.X().cols());
    for (const double lambda : {0.0, 0.5, 1.0}) {
      for (const auto weighting : {Weighting::behaviour, Weighting::emphatic}) {
        f(exact, exact.X() * w, w, lambda, weighting);
      }
    }
  }
}

Eigen::VectorXd weights(const Exact& exact, double lambda, Weighting weighting) {
  return weighting == Weighting::behaviour ? exact.d() : exact.emphasis(lambda);
}

TEST(BellmanError, ProjectedIsTheQuadraticFormOfTheKeySystem) {
  for_each_case([](const Exact& exact, const auto& v, const auto& w, double lambda, Weighting weighting) {
    const Eigen::VectorXd m = weights(exact, lambda, weighting);
    const auto [A, b] = exact.system(lambda, weighting);
    const Eigen::VectorXd g = b - A * w;
    const Eigen::MatrixXd C = exact.X().transpose() * m.asDiagonal() * exact.X();
    const double expected = g.dot(shortest_solution(C, g)) / m.sum();
    EXPECT_NEAR(at(BellmanError::projected(exact, lambda, weighting), v), expected, 1e-10 * expected);
  });
}

TEST(BellmanError, ProjectedIsTheLengthOfTheExplicitProjection) {
  for_each_case([](const Exact& exact, const auto& v, const auto&, double lambda, Weighting weighting) {
    const Eigen::VectorXd c = weights(exact, lambda, weighting) / weights(exact, lambda, weighting).sum();
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(c.size(), c.size());
    const Eigen::VectorXd y = testing::solve(I - lambda * exact.P(), exact.r() + exact.P() * v - v);
    const Eigen::MatrixXd& X = exact.X();
    const Eigen::MatrixXd C = X.transpose() * c.asDiagonal() * X;
    const Eigen::VectorXd projected = X * shortest_solution(C, X.transpose() * c.asDiagonal() * y);
    const double expected = projected.cwiseAbs2().dot(c);
    EXPECT_NEAR(at(BellmanError::projected(exact, lambda, weighting), v), expected, 1e-10 * expected);
  });
}

TEST(BellmanError, ProjectedVanishesAtTheFixedPoint) {
  for_each_case([](const Exact& exact, const auto& v, const auto&, double lambda, Weighting weighting) {
    BellmanError error = BellmanError::projected(exact, lambda, weighting);
    const Eigen::VectorXd fixed = exact.X() * exact.system(lambda, weighting).solution();
    EXPECT_LT(at(error, fixed), 1e-20 * (1 + fixed.squaredNorm()));
    EXPECT_GT(at(error, v), 1e-6) << "elsewhere it does not";
  });
}

TEST(BellmanError, ProjectedIsNeverAboveTheWhole) {
  for_each_case([](const Exact& exact, const auto& v, const auto&, double, Weighting) {
    EXPECT_LE(at(BellmanError::projected(exact, 0), v), at(BellmanError::mean_squared(exact), v) * (1 + 1e-14));
  });
}

TEST(BellmanError, ProjectedIsTheWholeWithTabularFeatures) {
  RandomVectors random;
  for (const auto& entry : domains()) {
    const auto domain = entry.make({});
    if (domain->model() == nullptr) continue;
    const Exact exact(*domain, *make_features("tabular", *domain));
    const Eigen::VectorXd v = random.vector(exact.X().cols());
    const double whole = at(BellmanError::mean_squared(exact), v);
    EXPECT_NEAR(at(BellmanError::projected(exact, 0), v), whole, 1e-13 * whole) << entry.name;
    const auto values = domain->model()->true_values();
    EXPECT_LT(BellmanError::mean_squared(exact).of(values), 1e-24 * (1 + v.squaredNorm())) << entry.name;
  }
}

TEST(BellmanError, GrowsWithTheSquareOfRewardsAndValues) {
  const Collision collision({});
  FiniteModel tripled = *collision.model();
  for (auto& arc : tripled.arcs) arc.reward *= 3;
  const auto features = collision.features(1);
  const Exact exact(collision, *features);
  const Exact exact_tripled(tripled, exact.rows().view());
  const Eigen::VectorXd v = exact.X() * Eigen::VectorXd::LinSpaced(6, -1, 1);
  EXPECT_NEAR(at(BellmanError::mean_squared(exact_tripled), 3 * v), 9 * at(BellmanError::mean_squared(exact), v),
              1e-13);
  EXPECT_NEAR(at(BellmanError::projected(exact_tripled, 0.5), 3 * v), 9 * at(BellmanError::projected(exact, 0.5), v),
              1e-13);
}

TEST(BellmanError, DoesNotSeeHowFeaturesAreScaled) {
  const Collision collision({});
  const Exact exact(collision, *collision.features(1));
  const Eigen::VectorXd scale = Eigen::VectorXd::LinSpaced(6, 0.1, 7);
  RowBuffer rows(Layout::dense, 6);
  for (Eigen::Index s = 0; s < 8; ++s) {
    Eigen::Map<Eigen::VectorXd>(rows.add_dense().data(), 6) = exact.X().row(s).transpose().cwiseProduct(scale);
  }
  const Exact scaled(*collision.model(), rows.view());
  const Eigen::VectorXd v = exact.X() * Eigen::VectorXd::LinSpaced(6, -1, 1);
  EXPECT_NEAR(at(BellmanError::projected(scaled, 0.5), v), at(BellmanError::projected(exact, 0.5), v), 1e-13);
}

TEST(BellmanError, MeasuringAllocatesNothingAfterTheFirstTime) {
  const Collision collision({});
  const Exact exact(collision, *collision.features(1));
  BellmanError whole = BellmanError::mean_squared(exact);
  BellmanError projected = BellmanError::projected(exact, 0.5);
  Evaluator distance = fixed_point_distance(exact, 0.5);
  const TD learner = with_weights(std::vector<double>(6, 1.0));
  double sum = whole(learner) + projected(learner) + distance(learner);
  const std::size_t before = allocations();
  sum += whole(learner) + projected(learner) + distance(learner);
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(sum, 0);
}

TEST(BellmanError, RejectsAnotherNumberOfValues) {
  const TwoStates chain;
  EXPECT_EQ(rejection([&] { BellmanError::mean_squared(Exact(chain, *chain.features())).of(std::vector<double>{1}); }),
            "bellman error: 1 values for 2 states");
}

}  // namespace
}  // namespace bellwether
