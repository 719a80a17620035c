#include <bellwether/metrics/exact.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>

#include "support/dense_algebra.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

Eigen::MatrixXd identity_like(const Eigen::MatrixXd& A) { return Eigen::MatrixXd::Identity(A.rows(), A.cols()); }

std::vector<std::unique_ptr<Domain>> finite_domains() {
  std::vector<std::unique_ptr<Domain>> all;
  for (const auto& entry : domains()) {
    auto domain = entry.make({});
    if (domain->model() != nullptr) all.push_back(std::move(domain));
  }
  return all;
}

TEST(Exact, KeySystemIsItsDefinition) {
  for (const auto& domain : finite_domains()) {
    const Exact exact(*domain, *domain->features());
    const Eigen::MatrixXd I = identity_like(exact.P());
    for (const double lambda : {0.0, 0.4, 0.9, 1.0}) {
      const Eigen::MatrixXd left =
          exact.X().transpose() * exact.d().asDiagonal() * testing::inverse(I - lambda * exact.P());
      const auto [A, b] = exact.system(lambda);
      EXPECT_LT((A - left * (I - exact.P()) * exact.X()).cwiseAbs().maxCoeff(), 1e-11) << domain->type();
      EXPECT_LT((b - left * exact.r()).cwiseAbs().maxCoeff(), 1e-11) << domain->type();
    }
  }
}

TEST(Exact, EmphasisIsThatOfTheChainWhichLambdaStretches) {
  // m = (I - P_lambda^T)^-1 (d o i) with P_lambda = I - (I - lambda P)^-1 (I - P).
  for (const auto& domain : finite_domains()) {
    std::vector<double> interest(domain->model()->states);
    for (std::size_t s = 0; s < interest.size(); ++s) interest[s] = static_cast<double>(s % 3);
    const Exact exact(*domain, *domain->features(), interest);
    const Eigen::MatrixXd I = identity_like(exact.P());
    const Eigen::VectorXd i = Eigen::Map<const Eigen::VectorXd>(interest.data(), exact.d().size());
    for (const double lambda : {0.0, 0.4, 0.9, 1.0}) {
      const Eigen::MatrixXd P_lambda = I - testing::inverse(I - lambda * exact.P()) * (I - exact.P());
      const Eigen::VectorXd m = testing::solve(I - P_lambda.transpose(), exact.d().cwiseProduct(i));
      EXPECT_LT((exact.emphasis(lambda) - m).norm(), 1e-10 * m.norm()) << domain->type();
    }
  }
}

TEST(Exact, EmphasisOfLambdaOneIsTheInterestAndOfLambdaZeroTheFollowOn) {
  const Collision collision({});
  const Exact exact(collision, *collision.features());
  EXPECT_EQ(exact.emphasis(1), exact.d());
  EXPECT_EQ(exact.emphasis(0), exact.follow_on());
}

TEST(Exact, FollowOnOfAnUndiscountedEpisodeCountsItsSteps) {
  // On-policy with discount 1, F is the number of steps since the start, so f(s) = d(s) E[F | s]. In a corridor that
  // is walked from end to end, F is the position.
  FiniteModel corridor{.states = 4, .start = {1, 0, 0, 0}, .arcs = {}};
  for (std::size_t s = 0; s < 4; ++s) {
    corridor.arcs.push_back({.from = s, .to = s + 1, .probability = 1, .reward = 1, .discount = s == 3 ? 0.0 : 1.0});
  }
  RowBuffer rows(Layout::dense, 1);
  for (int s = 0; s < 4; ++s) rows.add_dense()[0] = 1;
  const Exact exact(corridor, rows.view());
  EXPECT_LT((exact.follow_on() - Eigen::Vector4d(1, 2, 3, 4) / 4).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Exact, FixedPointWithTabularFeaturesIsTheValueFunction) {
  for (const auto& domain : finite_domains()) {
    const auto tabular = make_features("tabular", *domain);
    const Exact exact(*domain, *tabular);
    const auto values = domain->model()->true_values();
    for (const double lambda : {0.0, 0.4, 0.9, 1.0}) {
      for (const auto weighting : {Weighting::behaviour, Weighting::emphatic}) {
        const Eigen::VectorXd w = exact.system(lambda, weighting).solution();
        for (std::size_t s = 0; s < values.size(); ++s) {
          EXPECT_NEAR(w[static_cast<Eigen::Index>(s)], values[s], 1e-10) << domain->type() << ", lambda " << lambda;
        }
      }
    }
  }
}

TEST(Exact, LambdaOneIsWeightedLeastSquaresOnTheValues) {
  for (const auto& domain : finite_domains()) {
    const Exact exact(*domain, *domain->features());
    const auto values = domain->model()->true_values();
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(values.data(), exact.d().size());
    const auto [A, b] = exact.system(1);
    EXPECT_LT((A - exact.X().transpose() * exact.d().asDiagonal() * exact.X()).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((b - exact.X().transpose() * exact.d().asDiagonal() * v).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Exact, SolutionOfASingularSystemIsTheShortest) {
  // Both features are the same, so only their sum is determined.
  const KeySystem system{Eigen::Matrix2d{{1, 1}, {1, 1}}, Eigen::Vector2d(2, 2)};
  EXPECT_LT((system.solution() - Eigen::Vector2d(1, 1)).norm(), 1e-14);
  const KeySystem inconsistent{Eigen::Matrix2d{{1, 0}, {0, 0}}, Eigen::Vector2d(3, 5)};
  EXPECT_LT((inconsistent.solution() - Eigen::Vector2d(3, 0)).norm(), 1e-14);
}

TEST(Exact, RejectsTablesThatDoNotFit) {
  const Collision collision({});
  RowBuffer rows(Layout::dense, 2);
  rows.add_dense();
  EXPECT_EQ(rejection([&] { Exact exact(*collision.model(), rows.view()); }), "exact: 1 rows of features for 8 states");
  EXPECT_EQ(rejection([&] {
              Exact exact(collision, *collision.features(), std::vector<double>{1, 2});
            }),
            "exact: 2 interests for 8 states");
}

/// LSTD's averages over a stream, with the spread of averages of blocks as their standard error.
struct Averages {
  Eigen::MatrixXd mean;            // (A, b)
  Eigen::MatrixXd standard_error;  // of each entry
};

Averages average(const Domain& domain, double lambda, Weighting weighting) {
  constexpr int blocks = 200;
  constexpr std::size_t block_size = 2000;
  Stream stream(domain, domain.features(1), 1);
  const auto k = static_cast<Eigen::Index>(stream.dim());
  Eigen::VectorXd e = Eigen::VectorXd::Zero(k);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(k, k + 1);
  Eigen::MatrixXd squares = sum;
  double g = 0;
  double previous_rho = 1;
  double F = 0;
  const auto dense = [k](const Features& features) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(k);
    visit(features,
          [&](auto view) { view.for_each([&](std::size_t j, double v) { x[static_cast<Eigen::Index>(j)] = v; }); });
    return x;
  };
  for (int i = 0; i < blocks; ++i) {
    const Batch batch = stream.next(block_size);
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(k, k + 1);
    for (std::size_t t = 0; t < batch.size; ++t) {
      const Eigen::VectorXd x = dense(batch.x.row(t));
      const Eigen::VectorXd difference = x - batch.discount[t] * dense(batch.x_next.row(t));
      F = previous_rho * g * F + 1;
      const double M = weighting == Weighting::emphatic ? lambda + (1 - lambda) * F : 1.0;
      e = batch.rho[t] * (g * lambda * e + M * x);
      block.leftCols(k) += e * difference.transpose();
      block.rightCols(1) += e * batch.reward[t];
      g = batch.discount[t];
      previous_rho = batch.rho[t];
    }
    block /= block_size;
    sum += block;
    squares += block.cwiseAbs2();
  }
  const Eigen::MatrixXd mean = sum / blocks;
  const Eigen::MatrixXd variance = (squares / blocks - mean.cwiseAbs2()).cwiseMax(0) / (blocks - 1);
  return {mean, variance.cwiseSqrt()};
}

void expect_averages_near_exact(const Domain& domain, Weighting weighting) {
  const Exact exact(domain, *domain.features(1));
  for (const double lambda : {0.0, 0.8}) {
    const auto [mean, standard_error] = average(domain, lambda, weighting);
    const auto [A, b] = exact.system(lambda, weighting);
    Eigen::MatrixXd expected(A.rows(), A.cols() + 1);
    expected << A, b;
    for (Eigen::Index i = 0; i < expected.rows(); ++i) {
      for (Eigen::Index j = 0; j < expected.cols(); ++j) {
        EXPECT_NEAR(mean(i, j), expected(i, j), 4 * standard_error(i, j) + 1e-12)
            << domain.type() << ", lambda " << lambda << ", entry " << i << " " << j;
      }
    }
    // The bound above means something only if the errors are small beside the entries.
    EXPECT_LT(standard_error.norm(), 0.02 * expected.norm());
  }
}

Garnet small_garnet(GarnetBehaviour behaviour) {
  return Garnet(
      {.states = 20, .actions = 2, .branching = 3, .discount = 0.8, .behaviour = behaviour, .dim = 5, .ones = 2});
}

TEST(Exact, AveragesOfALongStreamTendToTheKeySystemOnPolicy) {
  expect_averages_near_exact(BoyanChain({}), Weighting::behaviour);
  expect_averages_near_exact(RandomWalk({.size = 5, .left = 0, .features = WalkFeatures::dependent}),
                             Weighting::behaviour);
  expect_averages_near_exact(small_garnet(GarnetBehaviour::on_policy), Weighting::behaviour);
}

TEST(Exact, AveragesOfALongStreamTendToTheKeySystemOffPolicy) {
  expect_averages_near_exact(Collision({}), Weighting::behaviour);
  expect_averages_near_exact(small_garnet(GarnetBehaviour::random), Weighting::behaviour);
}

TEST(Exact, AveragesOfALongStreamTendToTheEmphaticKeySystem) {
  expect_averages_near_exact(BoyanChain({}), Weighting::emphatic);
  expect_averages_near_exact(Collision({}), Weighting::emphatic);
}

}  // namespace
}  // namespace bellwether
