#include <bellwether/learners/least_squares/tlstd.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/stream.h>

#include "support/allocations.h"
#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Matrix = Eigen::MatrixXd;

const Experience varied{.steps = 300,
                        .off_policy = true,
                        .state_dependent = true,
                        .random_discount = true,
                        .end_probability = 0.1,
                        .restart_probability = 0.05};

/// LSTD's sums with an accumulating trace.
struct Sums {
  Matrix S;
  Vector s, e;

  explicit Sums(Index dim) : S(Matrix::Zero(dim, dim)), s(Vector::Zero(dim)), e(Vector::Zero(dim)) {}

  void add(const RuleStep& step) {
    e = step.rho * (step.g * step.l * e + step.x);
    S += e * (step.x - step.gn * step.xn).transpose();
    s += e * step.r;
  }
};

/// The solution from the singular values above cutoff sigma_1.
Vector solution(const Matrix& S, const Vector& s, double cutoff) {
  return Svd(S).pseudo_inverse(s, std::max(1e-13, cutoff));
}

TEST(TLSTD, WithFullRankIsLSTDWithoutRegularisation) {
  const auto experience = varied.as(Layout::dense);
  const Batch batch = experience.view();
  const auto steps = rule_steps(batch, {.lambda = 0.7});
  for (const auto& block :
       {std::optional<std::int64_t>(), std::optional<std::int64_t>(1), std::optional<std::int64_t>(7)}) {
    TLSTD learner(8, {.rank = 8, .cutoff = 0, .lambda = 0.7, .block = block});
    Sums sums(8);
    for (std::size_t t = 0; t < batch.size; ++t) {
      learner.learn(batch.slice(t, 1));
      sums.add(steps[t]);
      if (t < 30) continue;
      const Vector w = solve(sums.S, sums.s);
      const double condition = sums.S.norm() * testing::inverse(sums.S).norm();
      ASSERT_LE((as_vector(learner.weights()) - w).norm(), 1e-14 * condition * w.norm()) << t;
    }
  }
}

TEST(TLSTD, InvertsTheSingularValuesAboveTheCutoff) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
  Sums sums(8);
  for (const RuleStep& step : steps) sums.add(step);
  for (const double cutoff : {0.05, 0.3}) {
    TLSTD learner(8, {.rank = 100, .cutoff = cutoff, .lambda = 0.7});
    learner.learn(experience.view());
    const Vector w = solution(sums.S, sums.s, cutoff);
    EXPECT_LE((as_vector(learner.weights()) - w).norm(), 1e-11 * w.norm());
  }
}

TEST(TLSTD, InBlocksSolvesWithTheTruncatedSum) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
  Sums sums(8);
  TLSTD learner(8, {.rank = 3, .lambda = 0.7, .block = 5});
  learner.learn(experience.view());
  std::size_t t = 0;
  for (const RuleStep& step : steps) {
    sums.add(step);
    if (++t % 5 != 0) continue;
    sums.S = Svd(sums.S).truncated(3);
  }
  const Vector w = solution(sums.S, sums.s, 0.01);
  EXPECT_LE((as_vector(learner.weights()) - w).norm(), 1e-10 * w.norm());
}

TEST(TLSTD, FindsBoyansSolutionWithEveryTraceRule) {
  const BoyanChain chain({});
  for (const TraceRule trace : {TraceRule::accumulating, TraceRule::emphatic}) {
    Stream stream(chain, chain.features(), 1);
    TLSTD learner(4, {.rank = 4, .lambda = 0.5, .trace = trace});
    learner.learn(stream.next(100000));
    const auto w = learner.weights();
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(w[j], -8.0 * static_cast<double>(3 - j), 0.3);
  }
}

TEST(TLSTD, HandlesMoreRankThanTheDataHave) {
  // 19 states with 40 features and a redundant bias: S is singular, and the shortest solution is wanted.
  const RandomWalk walk({});
  Stream stream(walk, walk.features(), 1);
  const Batch tabular = stream.next(3000);
  BatchBuffer buffer(Layout::dense, 40);
  for (std::size_t t = 0; t <= tabular.size; ++t) {
    const auto row = t < tabular.size ? tabular.x.row(t) : tabular.x_next.row(t - 1);
    const auto x = buffer.x().add_dense();
    visit(row, [&](const auto& view) { view.for_each([&](std::size_t j, double v) { x[j] = x[39 - j] = v; }); });
    x[20] = 1;
    if (t < tabular.size) buffer.add({.reward = tabular.reward[t], .discount = tabular.discount[t]});
  }
  const auto steps = rule_steps(buffer.view(), {.lambda = 0.5});
  Sums sums(40);
  for (const RuleStep& step : steps) sums.add(step);
  const Vector w = solution(sums.S, sums.s, 1e-6);
  for (const std::int64_t rank : {19, 20, 30}) {
    TLSTD learner(40, {.rank = rank, .cutoff = 1e-6, .lambda = 0.5});
    learner.learn(buffer.view());
    EXPECT_LE((as_vector(learner.weights()) - w).norm(), 1e-9 * w.norm()) << rank;
  }
}

TEST(TLSTD, LearnsTheCorrectionToItsStartingWeights) {
  const auto experience = varied.as(Layout::dense);
  const std::vector<double> start{1, 2, 3, 4, -5, 6, -7, 8};
  TLSTD from_zero(8, {.rank = 8, .cutoff = 0, .lambda = 0.7});
  TLSTD from_start(8, {.rank = 8, .cutoff = 0, .lambda = 0.7});
  from_start.start_from(start);
  EXPECT_EQ(from_start.weights(), start);
  from_zero.learn(experience.view());
  from_start.learn(experience.view());
  EXPECT_LE(max_difference(from_zero.weights(), from_start.weights()), 1e-9 * max_size(from_zero.weights()));
}

TEST(TLSTD, AllocatesNothingInBlocks) {
  const auto steps = Experience{.dim = 60, .steps = 500, .active = 4, .binary = true}.as(Layout::binary);
  for (const std::int64_t block : {1, 6, 100}) {
    TLSTD learner(60, {.rank = 5, .lambda = 0.9, .block = block});
    const auto before = allocations();
    learner.learn(steps.view());
    EXPECT_EQ(allocations(), before);
  }
}

TEST(TLSTD, StaysFiniteOnDegenerateData) {
  for (const double size : {0.0, 1e-12, 1.0, 1e12}) {
    for (const std::size_t dim : {1U, 3U}) {
      BatchBuffer buffer(Layout::dense, dim);
      for (int t = 0; t <= 100; ++t) {
        std::ranges::fill(buffer.x().add_dense(), t == 0 ? 0 : size);
        if (t < 100) buffer.add({.reward = 1e12, .discount = t % 9 == 8 ? 0 : 0.9, .rho = t < 50 ? 1.0 : 0.0});
      }
      TLSTD learner(dim, {.rank = 10, .lambda = 1});
      EXPECT_EQ(learner.weights(), std::vector<double>(dim));
      learner.learn(buffer.view());
      for (const double w : learner.weights()) EXPECT_TRUE(std::isfinite(w)) << size;
      EXPECT_FALSE(learner.diverged_at());
      EXPECT_FALSE(learner.findings().empty());
    }
  }
}

}  // namespace
}  // namespace bellwether
