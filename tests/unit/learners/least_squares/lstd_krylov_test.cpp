#include <bellwether/learners/least_squares/lstd_krylov.h>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include <bellwether/core/support/thread_limit.h>
#include <bellwether/learners/least_squares/lstd.h>

#include "support/dense_algebra.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;
using testing::max_size;

std::vector<double> by_lstd(const Batch& batch, const LSTDKrylov::Params& params) {
  LSTD lstd(batch.dim(), {.lambda = params.lambda,
                          .inverse_init = params.inverse_init,
                          .trace = params.trace,
                          .method = InverseMethod::direct});
  lstd.learn(batch);
  return lstd.weights();
}

void expect_lstd(const Batch& batch, const LSTDKrylov::Params& params, double tolerance = 1e-9) {
  LSTDKrylov learner(batch.dim(), params);
  learner.learn(batch);
  ASSERT_FALSE(learner.diverged_at());
  const auto expected = by_lstd(batch, params);
  EXPECT_GT(max_size(expected), 1e-3);
  EXPECT_LE(max_difference(learner.weights(), expected), tolerance * max_size(expected));
}

std::string finding(const Learner& learner, std::string_view name) {
  for (const auto& [key, value] : learner.findings()) {
    if (key == name) return value;
  }
  return "";
}

TEST(LSTDKrylov, HasTheWeightsOfLstd) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    for (const double lambda : {0.0, 0.5, 0.95, 1.0}) {
      for (const double p0 : {0.1, 1.0, 1e3}) {
        const auto steps = Experience{.dim = 30, .steps = 700, .active = 4}.as(layout);
        expect_lstd(steps.view(), {.lambda = lambda, .inverse_init = p0});
      }
    }
  }
}

TEST(LSTDKrylov, HasTheWeightsOfLstdOffPolicyWithEveryTrace) {
  for (const TraceRule trace : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    for (const Layout layout : {Layout::dense, Layout::sparse}) {
      const auto steps = Experience{.dim = 20,
                                    .steps = 600,
                                    .active = 4,
                                    .non_negative = true,
                                    .off_policy = true,
                                    .state_dependent = true,
                                    .random_discount = true,
                                    .restart_probability = 0.1}
                             .as(layout);
      expect_lstd(steps.view(), {.lambda = 0.7, .trace = trace}, 1e-8);
    }
  }
}

TEST(LSTDKrylov, HasTheWeightsOfLstdWhereFeaturesExceedTheBlock) {
  // The preconditioner knows the rare features only by the diagonal.
  constexpr std::size_t dim = BlockPreconditioner::largest_block + 200;
  const auto steps = Experience{.dim = dim, .steps = 2500, .active = 6, .binary = true}.as(Layout::binary);
  LSTDKrylov learner(dim, {.lambda = 0.5, .tolerance = 1e-12});
  learner.learn(steps.view());
  LSTD lstd(dim, {.lambda = 0.5});
  lstd.learn(steps.view());
  const auto expected = lstd.weights();
  EXPECT_LE(max_difference(learner.weights(), expected), 1e-9 * max_size(expected));
  EXPECT_GT(std::stoi(finding(learner, "iterations")), 3);
  EXPECT_LE(std::stod(finding(learner, "residual")), 1e-12);
}

TEST(LSTDKrylov, HasTheWeightsOfLstdFromDenseFeaturesThatExceedTheBlock) {
  constexpr std::size_t dim = BlockPreconditioner::largest_block + 6;
  const auto steps = Experience{.dim = dim, .steps = 60, .active = dim}.as(Layout::dense);
  expect_lstd(steps.view(), {.lambda = 0.5, .tolerance = 1e-12});
}

TEST(LSTDKrylov, AcceptsBatchesOfEveryLayoutOneAfterAnother) {
  const Experience experience{.dim = 12, .steps = 300, .active = 4, .binary = true};
  const auto dense = experience.as(Layout::dense);
  const auto sparse = experience.as(Layout::sparse);
  const auto binary = experience.as(Layout::binary);
  const auto expected = by_lstd(dense.view(), {.lambda = 0.8});
  for (const auto& order : {std::array{&dense, &sparse, &binary}, std::array{&binary, &dense, &sparse}}) {
    LSTDKrylov learner(12, {.lambda = 0.8});
    for (std::size_t i = 0; i < 3; ++i) learner.learn(order[i]->view().slice(100 * i, 100));
    EXPECT_LE(max_difference(learner.weights(), expected), 1e-10 * max_size(expected));
  }
}

TEST(LSTDKrylov, HasTheWeightsOfLstdFromReallyDenseFeatures) {
  const auto steps = Experience{.dim = 8, .steps = 300, .active = 8}.as(Layout::dense);
  expect_lstd(steps.view(), {.lambda = 0.9});
}

TEST(LSTDKrylov, IsPulledTowardsTheWeightsItStartsFrom) {
  const auto steps = Experience{.dim = 10, .steps = 40, .active = 3}.as(Layout::sparse);
  std::vector<double> start(10);
  std::iota(start.begin(), start.end(), -3.0);
  LSTDKrylov learner(10, {.lambda = 0.5, .inverse_init = 0.01});
  LSTD lstd(10, {.lambda = 0.5, .inverse_init = 0.01});
  learner.start_from(start);
  lstd.start_from(start);
  learner.learn(steps.view());
  lstd.learn(steps.view());
  EXPECT_LE(max_difference(learner.weights(), lstd.weights()), 1e-10);
}

TEST(LSTDKrylov, DampsTowardsItsStartAndNotAtAllWithoutDamping) {
  // S is square and regular: the least sum of squared errors is 0, at the solution of LSTD without a ridge.
  const auto steps = Experience{.dim = 8, .steps = 400, .active = 3}.as(Layout::sparse);
  const auto expected = by_lstd(steps.view(), {.lambda = 0.5, .inverse_init = 1e12});
  LSTDKrylov nearly_exact(8, {.lambda = 0.5, .damping = 1e-13, .tolerance = 1e-14});
  nearly_exact.learn(steps.view());
  EXPECT_LE(max_difference(nearly_exact.weights(), expected), 1e-7 * max_size(expected));
  const std::vector<double> start{1, -2, 3, 0, 0.5, 1, 1, -1};
  LSTDKrylov damped(8, {.lambda = 0.5, .damping = 1e9});
  damped.start_from(start);
  damped.learn(steps.view());
  EXPECT_LE(max_difference(damped.weights(), start), 1e-5);
  EXPECT_GT(max_difference(damped.weights(), start), 0);
}

TEST(LSTDKrylov, LearnsNothingWithoutFeatures) {
  BatchBuffer buffer(Layout::sparse, 3);
  buffer.x().end_row();
  buffer.add({.reward = 1, .discount = 0.9});
  buffer.x().end_row();
  LSTDKrylov learner(3, {});
  learner.learn(buffer.view());
  EXPECT_EQ(learner.weights(), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(finding(learner, "iterations"), "0");
}

/// The equations as dense matrices.
struct Equations {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;

  Equations(const Batch& batch, double lambda, double p0) {
    const auto d = static_cast<Eigen::Index>(batch.dim());
    A = Eigen::MatrixXd::Identity(d, d) / p0;
    b = Eigen::VectorXd::Zero(d);
    Eigen::VectorXd e = Eigen::VectorXd::Zero(d);
    double g = 0;
    for (std::size_t t = 0; t < batch.size; ++t) {
      const Eigen::Map<const Eigen::VectorXd> x(batch.x.as<DenseView>(t).values, d);
      const Eigen::Map<const Eigen::VectorXd> next(batch.x_next.as<DenseView>(t).values, d);
      if (batch.restart[t] != 0) g = 0;
      e = batch.rho[t] * (g * lambda * e + x);
      A += e * (x - batch.discount[t] * next).transpose();
      b += batch.reward[t] * e;
      g = batch.discount[t];
    }
  }
};

constexpr Experience cut_off{.dim = 9, .steps = 250, .active = 4, .off_policy = true, .restart_probability = 0.1};

TEST(LSTDKrylov, ReportsTheResidualOfItsWeightsByDefinition) {
  const auto steps = cut_off.as(Layout::dense);
  const Equations equations(steps.view(), 0.8, 2);
  LSTDKrylov learner(9, {.lambda = 0.8, .inverse_init = 2, .tolerance = 0, .iterations = 1});
  learner.learn(steps.view());
  const auto w = learner.weights();
  const Eigen::Map<const Eigen::VectorXd> weights(w.data(), 9);
  const double residual = (equations.b - equations.A * weights).norm() / equations.b.norm();
  EXPECT_NEAR(std::stod(finding(learner, "residual")), residual, 1e-4 * residual + 1e-14);
  EXPECT_EQ(finding(learner, "iterations"), "1");
}

TEST(LSTDKrylov, AnswersDoNotDependOnEarlierQuestions) {
  const auto steps = cut_off.as(Layout::sparse);
  LSTDKrylov asked(9, {.lambda = 0.8});
  for (std::size_t t = 0; t < steps.size(); ++t) {
    asked.learn(steps.view().slice(t, 1));
    LSTDKrylov fresh(9, {.lambda = 0.8});
    fresh.learn(steps.view().slice(0, t + 1));
    ASSERT_EQ(asked.weights(), fresh.weights()) << t;
  }
}

TEST(LSTDKrylov, HasTheSameBitsWithAnyNumberOfThreads) {
  struct Case {
    Layout layout;
    Experience experience;
    double lambda;
  };
  // More than a megabyte for each of eight threads, or fewer would be used.
  constexpr Experience many{.dim = 20'000, .steps = 55'000, .active = 20, .binary = true};
  constexpr Experience valued{.dim = 20'000, .steps = 30'000, .active = 20, .off_policy = true, .end_probability = 0};
  constexpr Experience few{.dim = 50, .steps = 55'000, .active = 20, .binary = true, .off_policy = true};
  constexpr Experience dense{.dim = 1100, .steps = 1000, .active = 1100};
  for (const Case& c :
       {Case{Layout::binary, many, 0}, Case{Layout::binary, many, 0.9}, Case{Layout::sparse, valued, 0.5},
        Case{Layout::binary, few, 0.5}, Case{Layout::dense, dense, 0.5}}) {
    const auto steps = c.experience.as(c.layout);
    LSTDKrylov learner(c.experience.dim, {.lambda = c.lambda, .iterations = 12});
    learner.learn(steps.view());
    std::vector<double> alone;
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      const ThreadLimit limit(threads);
      const auto unsolved = learner.clone();
      const auto w = unsolved->weights();
      if (threads == 1) alone = w;
      ASSERT_GE(std::stoul(finding(*unsolved, "numbers_stored")), 7U << 17U);
      EXPECT_GT(max_size(w), 1e-4);
      EXPECT_TRUE(w == alone) << threads;
    }
  }
}

TEST(LSTDKrylov, LeavesOutStepsThatDoNotFitAndReportsThem) {
  const auto steps = Experience{.dim = 10, .steps = 100, .active = 3}.as(Layout::sparse);
  LSTDKrylov learner(10, {.lambda = 0.5, .capacity = 400});
  learner.learn(steps.view());
  const auto kept = std::stoul(finding(learner, "transitions"));
  EXPECT_LE(std::stoul(finding(learner, "numbers_stored")), 400U);
  EXPECT_GT(kept, 20U);
  EXPECT_EQ(finding(learner, "transitions_left_out"), std::to_string(100 - kept));
  LSTDKrylov shorter(10, {.lambda = 0.5});
  shorter.learn(steps.view().slice(0, kept));
  EXPECT_EQ(learner.weights(), shorter.weights());
  EXPECT_EQ(finding(shorter, "transitions_left_out"), "");
}

TEST(LSTDKrylov, TakesOverAnotherAsIfItHadSeenTheSteps) {
  const auto steps = cut_off.as(Layout::sparse);
  for (const TraceRule trace : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    const LSTDKrylov::Params params{.lambda = 0.8, .trace = trace};
    std::vector<std::uint8_t> restart(steps.view().restart, steps.view().restart + steps.size());
    restart[100] = 1;
    Batch batch = steps.view();
    batch.restart = restart.data();
    LSTDKrylov whole(9, params);
    whole.learn(batch);
    LSTDKrylov first(9, params);
    LSTDKrylov second(9, params);
    first.learn(batch.slice(0, 100));
    second.learn(batch.slice(100, 100));
    first.absorb(second);
    first.learn(batch.slice(200, 50));
    EXPECT_LE(max_difference(first.weights(), whole.weights()), 1e-12 * max_size(whole.weights()));
    EXPECT_EQ(finding(first, "transitions"), "250");
  }
}

TEST(LSTDKrylov, GoesOnFromASavedStateBitForBit) {
  const auto steps = cut_off.as(Layout::dense);
  for (const TraceRule trace : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    const LSTDKrylov::Params params{.lambda = 0.8, .trace = trace};
    LSTDKrylov learner(9, params);
    learner.learn(steps.view().slice(0, 130));
    LSTDKrylov loaded(9, params);
    loaded.load(learner.save());
    EXPECT_EQ(loaded.weights(), learner.weights());
    for (LSTDKrylov* each : {&learner, &loaded}) each->learn(steps.view().slice(130, 120));
    EXPECT_EQ(loaded.weights(), learner.weights());
  }
}

TEST(LSTDKrylov, KeepsFiniteWeightsWhereTheEquationsHaveNoSolution) {
  // S + I/p0 = 1 - 1 = 0: one state that leads to itself, once with a discount of 2.
  BatchBuffer buffer(Layout::binary, 1);
  for (int t = 0; t < 2; ++t) {
    buffer.x().add(0);
    buffer.x().end_row();
    if (t == 0) buffer.add({.reward = 1, .discount = 2});
  }
  LSTDKrylov learner(1, {});
  learner.learn(buffer.view());
  EXPECT_TRUE(std::isfinite(learner.weights()[0]));
  EXPECT_GT(std::stod(finding(learner, "residual")), 0.5);
}

}  // namespace
}  // namespace bellwether
