// What atd computes: the published algorithm, and what it is equal to in special cases.
#include <bellwether/learners/accelerated/atd.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/td.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Matrix = Eigen::MatrixXd;

/// The published algorithm: the mean of e d^T as orthonormal U and V and a small M, whose singular value decomposition
/// is recomputed at every step.
struct TextbookAtd {
  ATD::Params params;
  Index k;
  TextbookTrace trace;
  Matrix U, M, V;
  double t = 0;

  TextbookAtd(const ATD::Params& p, Index dim)
      : params(p), k(std::min<Index>(p.rank, dim)), trace(p.trace, dim), U(dim, 0), M(0, 0), V(dim, 0) {}

  /// The coordinates of z, with a new column if z is not in the span.
  static Vector resolve(Matrix& Q, const Vector& z) {
    Vector y = Q.transpose() * z;
    Vector p = z - Q * y;
    const Vector again = Q.transpose() * p;
    p -= Q * again;
    y += again;
    if (p.norm() <= 1e-10 * z.norm()) return y;
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.rightCols(1) = p.normalized();
    y.conservativeResize(Q.cols());
    y[Q.cols() - 1] = p.norm();
    return y;
  }

  void operator()(const RuleStep& s, Vector& w) {
    const double beta = 1 / ++t;
    const double delta = s.delta(w);
    const Vector& e = trace.next(s);
    const Vector y = resolve(U, std::sqrt(beta) * e);
    const Vector n = resolve(V, std::sqrt(beta) * (s.x - s.gn * s.xn));
    M.conservativeResizeLike(Matrix::Zero(U.cols(), V.cols()));
    M = (1 - beta) * M + y * n.transpose();
    if (M.size() > 0) {
      auto [L, sigma, R] = Svd(M);
      if (std::max(U.cols(), V.cols()) >= 2 * k) {
        const Index r = std::min<Index>(k, (sigma.array() > 1e-13 * sigma[0]).count());
        U = (U * L.leftCols(r)).eval();
        V = (V * R.leftCols(r)).eval();
        sigma.conservativeResize(r);
        M = sigma.asDiagonal();
        L = R = Matrix::Identity(r, r);
      }
      Vector c = (L.transpose() * (U.transpose() * e)).head(sigma.size());
      for (Index j = 0; j < c.size(); ++j) c[j] = sigma[j] > params.cutoff * sigma[0] ? c[j] / sigma[j] : 0;
      w += (params.alpha0 * beta * delta) * (V * (R.leftCols(c.size()) * c));
    }
    w += (params.eta * delta) * e;
  }
};

/// The same with the whole matrix, which rank = d has to equal.
struct DenseAtd {
  ATD::Params params;
  TextbookTrace trace;
  Matrix A;
  double t = 0;

  DenseAtd(const ATD::Params& p, Index dim) : params(p), trace(p.trace, dim), A(Matrix::Zero(dim, dim)) {}

  void operator()(const RuleStep& s, Vector& w) {
    const double beta = 1 / ++t;
    const double delta = s.delta(w);
    const Vector& e = trace.next(s);
    A = (1 - beta) * A + beta * e * (s.x - s.gn * s.xn).transpose();
    w += params.alpha0 * beta * delta * Svd(A).pseudo_inverse(e, params.cutoff) + params.eta * delta * e;
  }
};

const Experience varied{.steps = 400,
                        .non_negative = true,
                        .off_policy = true,
                        .state_dependent = true,
                        .random_discount = true,
                        .end_probability = 0.1,
                        .restart_probability = 0.05};

TEST(ATD, IsTDBitForBitWithRankZero) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto experience = varied.as(layout);
    for (const bool replacing : {false, true}) {
      TD td(8, {.alpha = 0.05, .lambda = 0.8, .trace = replacing ? TraceKind::replacing : TraceKind::accumulating});
      ATD atd(
          8,
          {.rank = 0, .eta = 0.05, .lambda = 0.8, .trace = replacing ? TraceRule::replacing : TraceRule::accumulating});
      td.learn(experience.view());
      atd.learn(experience.view());
      EXPECT_EQ(atd.weights(), td.weights());
      EXPECT_GT(max_size(td.weights()), 0.1);
    }
  }
}

TEST(ATD, IsETDBitForBitWithRankZeroAndTheEmphaticTrace) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto experience = varied.as(layout);
    ETD etd(8, {.alpha = 0.05, .lambda = 0.8});
    ATD atd(8, {.rank = 0, .eta = 0.05, .lambda = 0.8, .trace = TraceRule::emphatic});
    etd.learn(experience.view());
    atd.learn(experience.view());
    EXPECT_EQ(atd.weights(), etd.weights());
    EXPECT_GT(max_size(etd.weights()), 0.1);
  }
}

TEST(ATD, EqualsThePublishedAlgorithmAfterEveryStep) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
  for (const TraceRule trace : trace_rules) {
    for (const std::int64_t rank : {1, 3, 8, 100}) {
      for (const double cutoff : {1e-6, 0.01, 0.2}) {
        const ATD::Params params{
            .rank = rank, .eta = 0.02, .cutoff = cutoff, .alpha0 = 0.7, .lambda = 0.7, .trace = trace};
        ATD atd(8, params);
        EXPECT_LE(departure(atd, experience.view(), steps, TextbookAtd(params, 8)), 1e-9)
            << rank << " " << cutoff << " " << static_cast<int>(trace);
      }
    }
  }
}

TEST(ATD, EqualsThePublishedAlgorithmOnSparseFeatures) {
  const Experience options{.dim = 120, .steps = 1500, .active = 6, .binary = true, .off_policy = true};
  const auto dense = options.as(Layout::dense);
  const auto binary = options.as(Layout::binary);
  const auto steps = rule_steps(dense.view(), {.lambda = 0.9});
  const ATD::Params params{.rank = 12, .eta = 1e-3, .lambda = 0.9};
  ATD atd(120, params);
  EXPECT_LE(departure(atd, binary.view(), steps, TextbookAtd(params, 120)), 1e-8);
}

TEST(ATD, WithFullRankEqualsTheLoopWithTheWholeMatrix) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
  for (const TraceRule trace : trace_rules) {
    const ATD::Params params{.rank = 8, .eta = 0.02, .lambda = 0.7, .trace = trace};
    ATD atd(8, params);
    EXPECT_LE(departure(atd, experience.view(), steps, DenseAtd(params, 8)), 1e-9);
  }
}

TEST(ATD, WithRankOneEqualsTheWholeMatrixOnDataOfRankOne) {
  // One state of eight features, with rewards and ends of episodes.
  BatchBuffer buffer(Layout::dense, 8);
  for (int t = 0; t <= 100; ++t) {
    const auto x = buffer.x().add_dense();
    for (std::size_t j = 0; j < 8; ++j) x[j] = std::cos(static_cast<double>(3 * j));
    if (t < 100) buffer.add({.reward = t % 7 - 2.0, .discount = t % 5 == 4 ? 0 : 0.9});
  }
  const auto steps = rule_steps(buffer.view(), {.lambda = 0.7});
  const ATD::Params params{.rank = 1, .eta = 0.02, .lambda = 0.7};
  ATD atd(8, params);
  EXPECT_LE(departure(atd, buffer.view(), steps, DenseAtd(params, 8)), 1e-12);
}

TEST(ATD, FirstStepSolvesItsOwnEquation) {
  // A = e d^T, so A+ e = d / |d|^2.
  const auto experience = Experience{.steps = 1}.as(Layout::dense);
  const RuleStep s = rule_steps(experience.view(), {})[0];
  ATD atd(8, {.rank = 3, .eta = 0.1});
  atd.learn(experience.view());
  const Vector d = s.x - s.gn * s.xn;
  const Vector expected = s.r * d / d.squaredNorm() + 0.1 * s.r * s.x;
  EXPECT_LE((as_vector(atd.weights()) - expected).norm(), 1e-15 * 10);
}

TEST(ATD, WithFullRankAndNoTDPartSolvesTheEquationsOfLSTDUpToAConstant) {
  // S w - s no longer changes once every trace lies in the range of S, that is, once S is regular.
  const auto experience = Experience{.steps = 600, .off_policy = true}.as(Layout::dense);
  const Batch batch = experience.view();
  const auto steps = rule_steps(batch, {.lambda = 0.8});
  ATD atd(8, {.rank = 8, .eta = 0, .cutoff = 0, .lambda = 0.8});
  TextbookTrace trace(TraceRule::accumulating, 8);
  Matrix S = Matrix::Zero(8, 8);
  Vector s = Vector::Zero(8);
  Vector constant;
  for (std::size_t t = 0; t < batch.size; ++t) {
    atd.learn(batch.slice(t, 1));
    const Vector& e = trace.next(steps[t]);
    S += e * (steps[t].x - steps[t].gn * steps[t].xn).transpose();
    s += e * steps[t].r;
    const Vector rest = S * as_vector(atd.weights()) - s;
    if (t == 100) constant = rest;
    if (t <= 100) continue;
    ASSERT_LE((rest - constant).norm(), 1e-9 * s.norm()) << t;
  }
}

TEST(ATD, InBatchesUsesTheFactorsOfTheLastOne) {
  const auto experience = varied.as(Layout::dense);
  const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
  for (const std::int64_t batch : {2, 7, 20}) {
    ATD atd(8, {.rank = 4, .eta = 0.02, .lambda = 0.7, .batch = batch});
    TextbookTrace trace(TraceRule::accumulating, 8);
    Matrix sum = Matrix::Zero(8, 8);   // truncated to rank 4 after every batch
    Matrix last = Matrix::Zero(8, 8);  // the mean after the last batch
    double t = 0;
    const auto rule = [&](const RuleStep& s, Vector& w) {
      const double beta = 1 / ++t;
      const double delta = s.delta(w);
      const Vector& e = trace.next(s);
      sum += e * (s.x - s.gn * s.xn).transpose();
      if (last.norm() > 0) w += beta * delta * Svd(last).pseudo_inverse(e, 0.01);
      w += 0.02 * delta * e;
      if (static_cast<std::int64_t>(t) % batch != 0) return;
      sum = Svd(sum).truncated(4);
      last = sum / t;
    };
    EXPECT_LE(departure(atd, experience.view(), steps, rule), 1e-9) << batch;
  }
}

}  // namespace
}  // namespace bellwether
