#include <bellwether/learners/atd.h>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/etd.h>
#include <bellwether/learners/td.h>
#include <bellwether/metrics/exact.h>
#include <bellwether/metrics/value_error.h>

#include "support/allocations.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Matrix = Eigen::MatrixXd;

/// The trace of every rule, as books write it.
struct TextbookTrace {
  TraceRule rule;
  Vector e;
  double F = 0;

  TextbookTrace(TraceRule trace_rule, Index dim) : rule(trace_rule), e(Vector::Zero(dim)) {}

  const Vector& next(const RuleStep& s) {
    F = s.g == 0 ? s.i : s.rhop * s.g * F + s.i;
    const double M = rule == TraceRule::emphatic ? s.l * s.i + (1 - s.l) * F : 1;
    if (rule == TraceRule::replacing) e = (s.rho * s.g * s.l * e).cwiseMax(s.rho * s.x);
    else e = s.rho * (s.g * s.l * e + M * s.x);
    return e;
  }
};

/// The algorithm as it is published: the mean of e d^T by orthonormal U, V and a small M, whose singular value
/// decomposition is computed anew at every step.
struct TextbookAtd {
  ATD::Params params;
  Index k;
  TextbookTrace trace;
  Matrix U, M, V;
  double t = 0;

  TextbookAtd(const ATD::Params& p, Index dim)
      : params(p), k(std::min<Index>(p.rank, dim)), trace(p.trace, dim), U(dim, 0), M(0, 0), V(dim, 0) {}

  /// Coordinates of z, and a new column if z is not in the span.
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
      const Eigen::JacobiSVD<Matrix, Eigen::FullPivHouseholderQRPreconditioner> svd(
          M, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Vector sigma = svd.singularValues();
      Matrix L = svd.matrixU();
      Matrix R = svd.matrixV();
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

/// A+ v with singular values below cutoff sigma_1 taken as zero.
Vector pseudo_inverse(const Matrix& A, const Vector& v, double cutoff) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vector c = svd.matrixU().transpose() * v;
  for (Index j = 0; j < c.size(); ++j) {
    const double sigma = svd.singularValues()[j];
    c[j] = sigma > cutoff * svd.singularValues()[0] ? c[j] / sigma : 0;
  }
  return svd.matrixV() * c;
}

/// With the whole matrix: what rank = d has to equal.
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
    w += params.alpha0 * beta * delta * pseudo_inverse(A, e, params.cutoff) + params.eta * delta * e;
  }
};

Vector as_vector(const std::vector<double>& w) {
  return Eigen::Map<const Vector>(w.data(), static_cast<Index>(w.size()));
}

constexpr TraceRule traces[] = {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic};

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
  for (const TraceRule trace : traces) {
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
  for (const TraceRule trace : traces) {
    const ATD::Params params{.rank = 8, .eta = 0.02, .lambda = 0.7, .trace = trace};
    ATD atd(8, params);
    EXPECT_LE(departure(atd, experience.view(), steps, DenseAtd(params, 8)), 1e-9);
  }
}

TEST(ATD, WithRankOneEqualsTheWholeMatrixOnDataOfRankOne) {
  // One state in eight features, with rewards and ends of episodes.
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
    Matrix sum = Matrix::Zero(8, 8);   // cut to rank 4 after every batch
    Matrix last = Matrix::Zero(8, 8);  // the mean, as of the last batch
    double t = 0;
    const auto rule = [&](const RuleStep& s, Vector& w) {
      const double beta = 1 / ++t;
      const double delta = s.delta(w);
      const Vector& e = trace.next(s);
      sum += e * (s.x - s.gn * s.xn).transpose();
      if (last.norm() > 0) w += beta * delta * pseudo_inverse(last, e, 0.01);
      w += 0.02 * delta * e;
      if (static_cast<std::int64_t>(t) % batch != 0) return;
      const Eigen::JacobiSVD<Matrix> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
      sum =
          svd.matrixU().leftCols(4) * svd.singularValues().head(4).asDiagonal() * svd.matrixV().leftCols(4).transpose();
      last = sum / t;
    };
    EXPECT_LE(departure(atd, experience.view(), steps, rule), 1e-9) << batch;
  }
}

TEST(ATD, AllocatesNothingInBatchesAndWithASmallCutOff) {
  const Experience options{.dim = 60, .steps = 800, .active = 4, .binary = true};
  for (const ATD::Params& params :
       {ATD::Params{.rank = 5, .lambda = 0.9, .batch = 3}, ATD::Params{.rank = 5, .cutoff = 0, .lambda = 0.9},
        ATD::Params{.rank = 5, .lambda = 0.9, .trace = TraceRule::replacing}}) {
    for (const Layout layout : {Layout::dense, Layout::binary}) {
      const auto steps = options.as(layout);
      ATD atd(60, params);
      const auto copy = atd.clone();
      const auto before = allocations();
      atd.learn(steps.view());
      copy->learn(steps.view());
      EXPECT_EQ(allocations(), before);
      EXPECT_FALSE(atd.diverged_at());
      EXPECT_EQ(copy->weights(), atd.weights());
    }
  }
}

TEST(ATD, PredictsTheSameForOneRowAndForMany) {
  const auto experience = Experience{.dim = 60, .steps = 300, .active = 4, .binary = true}.as(Layout::binary);
  ATD atd(60, {.rank = 8, .lambda = 0.9});
  atd.learn(experience.view());
  std::vector<double> values(300);
  atd.predict(experience.view().x, values);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_NEAR(atd.predict(experience.view().x.row(i)), values[i], 1e-12 * max_size(values));
  }
}

TEST(ATD, TellsWhichSingularValuesItInverts) {
  const auto experience = Experience{.dim = 30, .steps = 500, .active = 3}.as(Layout::sparse);
  ATD atd(30, {.rank = 5, .lambda = 0.5});
  EXPECT_TRUE(atd.findings().empty());
  atd.learn(experience.view());
  const Settings findings = atd.findings();
  ASSERT_EQ(findings.size(), 3U);
  const int used = std::stoi(findings[0].second);
  EXPECT_GE(used, 1);
  EXPECT_LE(used, 10);
  EXPECT_GE(std::stod(findings[1].second), std::stod(findings[2].second));
  EXPECT_GT(std::stod(findings[2].second), 0.01 * std::stod(findings[1].second));
}

/// Mean relative errors on Boyan's chain over runs: after 100 steps, after 1000, and over the curve.
struct BoyanErrors {
  Sample at_100, at_1000, curve;
};

BoyanErrors on_boyan(const ATD::Params& params, int runs) {
  const BoyanChain chain({});
  const auto features = std::shared_ptr<const FeatureMap>(chain.features());
  EvaluationSet states(*features);
  for (double i = 12; i >= 1; --i) states.add(*features, {&i, 1}, -2 * i);
  BoyanErrors errors;
  for (int run = 0; run < runs; ++run) {
    Stream stream(chain, features, 5, static_cast<std::uint64_t>(run));
    ATD atd(4, params);
    std::vector<double> values(12);
    double sum = 0;
    for (int t = 0; t <= 1000; t += 10) {
      atd.predict(states.rows(), values);
      const double error = value_error(Metric::relative, states, values);
      sum += error;
      if (t == 100) errors.at_100.add(error);
      if (t == 1000) errors.at_1000.add(error);
      if (t < 1000) atd.learn(stream.next(10));
    }
    errors.curve.add(sum / 101);
  }
  return errors;
}

TEST(ATD, LearnsBoyansChainAsFastAsReported) {
  // Our own figures from an independent implementation: .040, .012 and .034 with full rank for eta from 1e-4 to 1e-2;
  // 1.12, .58 and .86 with two singular values and eta = 0.01.
  const BoyanErrors full = on_boyan({.rank = 4, .eta = 1e-3}, 60);
  EXPECT_NEAR(full.at_100.mean(), 0.040, 0.008);
  EXPECT_NEAR(full.at_1000.mean(), 0.012, 0.003);
  EXPECT_NEAR(full.curve.mean(), 0.034, 0.006);
  const BoyanErrors half = on_boyan({.rank = 2, .eta = 0.01, .cap_rank = true}, 60);
  EXPECT_NEAR(half.at_100.mean(), 1.12, 0.1);
  EXPECT_NEAR(half.at_1000.mean(), 0.58, 0.05);
  EXPECT_NEAR(half.curve.mean(), 0.86, 0.08);
  // Without the cap three of the four directions are at work most of the time.
  EXPECT_LT(on_boyan({.rank = 2, .eta = 0.01}, 20).at_100.mean(), 0.5);
}

TEST(ATD, ConvergesOffPolicyToTheEmphaticFixedPoint) {
  const Collision collision({});
  const auto features = std::shared_ptr<const FeatureMap>(collision.features(3));
  const Exact exact(collision, *features);
  const Vector fixed_point = exact.system(0.5, Weighting::emphatic).solution();
  const Vector other = exact.system(0.5, Weighting::behaviour).solution();
  const auto distance = [&](TraceRule trace, const Vector& w) {
    Stream stream(collision, features, 1);
    ATD atd(6, {.rank = 6, .eta = 1e-4, .cutoff = 1e-3, .lambda = 0.5, .trace = trace});
    for (int i = 0; i < 12; ++i) atd.learn(stream.next(10000));
    return (exact.X() * (as_vector(atd.weights()) - w)).norm() / (exact.X() * w).norm();
  };
  EXPECT_GT((exact.X() * (fixed_point - other)).norm() / (exact.X() * other).norm(), 0.05);
  EXPECT_LE(distance(TraceRule::emphatic, fixed_point), 0.03);
  EXPECT_LE(distance(TraceRule::accumulating, other), 0.03);
}

TEST(ATD, StaysFiniteOnDegenerateData) {
  const auto learn = [](const ATD::Params& params, std::size_t dim, double size, double reward, int kind) {
    BatchBuffer buffer(Layout::dense, dim);
    for (int t = 0; t <= 300; ++t) {
      const auto x = buffer.x().add_dense();
      for (std::size_t j = 0; j < dim; ++j) {
        if (kind == 0) x[j] = 0;                                                        // no features at all
        if (kind == 1) x[j] = size;                                                     // constant
        if (kind == 2) x[j] = t < 20 ? 0 : size * ((t + static_cast<int>(j / 2)) % 3);  // duplicates, first zero
        if (kind == 3) x[j] = size * ((t * 7 + static_cast<int>(j) * 3) % 5);
      }
      if (t < 300)
        buffer.add({.reward = reward * (t % 3), .discount = t % 9 == 8 ? 0 : 0.9, .rho = t % 200 < 150 ? 1.0 : 0.0});
    }
    ATD atd(dim, params);
    atd.learn(buffer.view());
    for (const double w : atd.weights()) ASSERT_TRUE(std::isfinite(w)) << dim << " " << size << " " << kind;
    const bool harmless = size == 1 || kind == 0;
    EXPECT_FALSE(harmless && atd.diverged_at());
  };
  for (const std::int64_t rank : {1, 3, 50}) {
    for (const std::size_t dim : {1U, 2U, 7U}) {
      for (const double size : {1e-12, 1.0, 1e12}) {
        for (int kind = 0; kind < 4; ++kind) {
          learn({.rank = rank, .eta = 1e-3, .lambda = 0.9}, dim, size, 1e12, kind);
          learn({.rank = rank, .eta = 0, .cutoff = 0, .lambda = 1, .trace = TraceRule::emphatic}, dim, size, 1, kind);
          learn({.rank = rank, .eta = 1e-3, .lambda = 0.9, .batch = 4}, dim, size, 1, kind);
        }
      }
    }
  }
}

}  // namespace
}  // namespace bellwether
