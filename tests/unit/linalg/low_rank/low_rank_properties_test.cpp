// DiagonalPlusLowRank and the samples gathered for it beside dense matrices, on random samples.
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <Eigen/Core>

#include <bellwether/linalg/low_rank/dense_samples.h>
#include <bellwether/linalg/low_rank/sparse_samples.h>

#include "support/dense_algebra.h"
#include "support/factorisations.h"
#include "support/vector_stream.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// diag(D) + low, where `low` is truncated as the library says.
struct DenseMatrix {
  MatrixXd low;
  VectorXd D;
  double added = 0;  // sizes of all samples since the last truncation, whose rounding they have
  double worst = 1;  // how much rounding is amplified
  double largest;    // |S^-1| so far

  DenseMatrix(Index n, double zeta)
      : low(MatrixXd::Zero(n, n)), D(VectorXd::Constant(n, zeta)), largest(std::sqrt(static_cast<double>(n)) / zeta) {}

  MatrixXd S() const { return MatrixXd(D.asDiagonal()) + low; }
  void add(const VectorXd& e, const VectorXd& d) {
    low += e * d.transpose();
    added += e.norm() * d.norm();
    // Gains are those of the matrix at the start of the block, from which those of the samples before are subtracted.
    const double size = inverse(S()).norm();
    largest = std::max(largest, size);
    worst = std::max({worst, S().norm() * size, 1 + e.norm() * d.norm() * largest});
  }

  /// Takes over what the library kept: U with orthonormal columns, V = low^T U, so the part of `low` that U spans.
  void check_truncation(const DiagonalPlusLowRank& matrix, bool best, bool compensate) {
    const LowRankParts parts(matrix);
    const double rounding = 1e-8 * (low.norm() + added);
    // Squares of singular values have half the digits, so directions are as exact as they are long.
    const VectorXd lengths = parts.V.colwise().norm().cwiseSqrt();
    const MatrixXd gram = parts.U.transpose() * parts.U - MatrixXd::Identity(parts.U.cols(), parts.U.cols());
    RC_ASSERT((lengths.asDiagonal() * gram * lengths.asDiagonal()).norm() <= rounding);
    RC_ASSERT((parts.low() - parts.U * (parts.U.transpose() * low)).norm() <= rounding);
    if (best) {  // No matrix of this rank is nearer; squares of singular values are compared, which have half the
                 // digits.
      const double least = (low - Svd(low).truncated(static_cast<Index>(matrix.shape().rank))).norm();
      RC_ASSERT((low - parts.low()).norm() <= least + 10 * rounding);
    }
    if (compensate) D += (low - parts.low()).diagonal().cwiseMax(0.0);
    RC_ASSERT((parts.D - D).cwiseAbs().maxCoeff() <= rounding);
    low = parts.low();
    D = parts.D;
    added = low.norm();
  }
};

/// Checks the products with the matrix and its inverse.
void check_products(const DiagonalPlusLowRank& matrix, double zeta, VectorStream& stream) {
  const MatrixXd S = LowRankParts(matrix).S();
  const VectorXd v = stream.next();
  VectorXd out(v.size());
  std::vector<double> small(2 * matrix.width() + 8);
  matrix.multiply(v.data(), out.data(), small.data());
  RC_ASSERT((S * v - zeta * v - out).norm() <= 1e-11 * S.norm() * v.norm());
  // Woodbury's formula subtracts from D^-1 v, which may be longer than the solution.
  const double condition = S.norm() * std::max(inverse(S).norm(), 1 / LowRankParts(matrix).D.minCoeff());
  if (condition > 1e6 || matrix.singular() > 0) return;
  matrix.solve(v.data(), out.data(), small.data());
  RC_ASSERT((out - solve(S, v)).norm() <= 1e-12 * condition * condition * out.norm());
}

struct Shape {
  Index n = *rc::gen::inRange(1, 31);
  std::size_t rank = *rc::gen::inRange<std::size_t>(0, static_cast<std::size_t>(n) + 4);
  std::size_t block = *rc::gen::inRange<std::size_t>(1, 20);
  bool compensate = *rc::gen::arbitrary<bool>();
  bool exact = *rc::gen::arbitrary<bool>();
  int exponent = *rc::gen::inRange(-12, 13);
  double zeta = *rc::gen::element(0.3, 2.0) * std::pow(10.0, 2 * exponent);

  /// The rank in use: more than the rows are worth nothing.
  DiagonalPlusLowRank matrix() const {
    DiagonalPlusLowRank made({static_cast<std::size_t>(n), std::min(rank, static_cast<std::size_t>(n)), block},
                             compensate, exact);
    made.start(zeta);
    for (Index r = 0; r < n; ++r) made.add_row();
    return made;
  }
};

TEST(DiagonalPlusLowRankProperties, IsTheDenseSumOfDenseSamplesAndMovesWhatItDropsToTheDiagonal) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape;
    VectorStream stream(shape.n, shape.exponent);
    DiagonalPlusLowRank S = shape.matrix();
    DenseSamples samples(S);
    DenseMatrix is(shape.n, shape.zeta);
    samples.begin(S);
    for (int t = 0; t < 80; ++t) {
      const VectorXd e = stream.next();
      const VectorXd d = e - 0.5 * stream.uniform() * stream.next();
      const MatrixXd before = is.S();
      const double pivot = 1 + d.dot(solve(before, e));
      const GainProducts gain = samples.push(S, e.data(), d.data());
      const double amplified = std::max(is.worst, 1 + e.norm() * d.norm() * is.largest);
      const double share = 1e-13 * amplified * amplified;
      if (!(std::abs(pivot) > 1e-3) || is.worst > 1e5) return;
      RC_ASSERT(std::abs(gain.pivot - pivot) <= share);
      if (stream.uniform() < 0.1) {
        samples.leave_out();  // which takes room all the same
      } else {
        samples.keep();
        is.add(e, d);
        const VectorXd s = solve(is.S(), e);
        const VectorXd found = Eigen::Map<const VectorXd>(samples.gain(), shape.n);
        const double tolerance = 1e-12 * is.worst * is.worst;
        RC_ASSERT((found - s).norm() <= tolerance * s.norm());
        RC_ASSERT(std::abs(gain.es - e.dot(s)) <= tolerance * e.norm() * s.norm());
        RC_ASSERT(std::abs(gain.sDs - s.dot(is.D.cwiseProduct(s))) <= tolerance * is.D.maxCoeff() * s.squaredNorm());
      }
      if (samples.has_room()) continue;
      samples.multiply_out(S);
      S.absorb(samples, shape.zeta);
      samples.begin(S);
      is.check_truncation(S, shape.exact, shape.compensate);
      check_products(S, shape.zeta, stream);
    }
  }));
}

/// A trace that is carried through a renewal, as learners do.
struct Carry final : RowPass {
  Carry(SparseSamples& gathered, const DiagonalPlusLowRank& matrix, VectorXd& weights, const VectorXd& latest)
      : samples(gathered), S(matrix), w(weights), e(latest), columns(matrix.padded_rank()) {}
  void before(const RowTile& tile) override { samples.add_change(S, tile, columns, w.data()); }
  void trace(const RowTile& tile, double* out) override {
    for (std::size_t i = 0; i < tile.count; ++i) out[i] = e[static_cast<Index>(tile.row(i))];
  }
  SparseSamples& samples;
  const DiagonalPlusLowRank& S;
  VectorXd& w;
  const VectorXd& e;
  std::size_t columns;
};

TEST(DiagonalPlusLowRankProperties, FollowsSparseSamplesWithATraceAndWeightsThatTakeStepsAlongTheGains) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape;
    VectorStream stream(shape.n, shape.exponent);
    DiagonalPlusLowRank S = shape.matrix();
    SparseSamples samples(S);
    DenseMatrix is(shape.n, shape.zeta);
    VectorXd e = VectorXd::Zero(shape.n);
    VectorXd w = e;        // of the library, at the start of the block
    VectorXd weights = e;  // by definition
    double moved = 0;      // lengths of all steps
    double length = 0;     // of what e was added up from
    samples.begin(S);
    for (int t = 0; t < 80; ++t) {
      const VectorXd a = stream.next();
      const VectorXd d = a - 0.5 * stream.uniform() * stream.next();
      const double c = stream.uniform() < 0.2 ? 0.0 : 0.9 * stream.uniform();
      const Sparse a_entries(a);
      const Sparse d_entries(d);
      const SparseRows a_rows{a_entries.view().indices, a_entries.view().values, a_entries.view().size};
      const SparseRows d_rows{d_entries.view().indices, d_entries.view().values, d_entries.view().size};
      const VectorXd next = c * e + a;
      const double pivot = 1 + d.dot(solve(is.S(), next));
      if (!(std::abs(pivot) > 1e-3) || is.worst > 1e5) return;
      if (samples.count() == shape.block || !samples.has_room(a_rows.size + d_rows.size)) {
        Carry pass(samples, S, w, e);
        S.absorb(samples, shape.zeta, &pass);
        samples.begin(S);
        is.check_truncation(S, shape.exact, shape.compensate);
        RC_ASSERT((w - weights).norm() <= 1e-13 * is.worst * is.worst * moved);
        w = weights;
      }
      const double w_tolerance = 1e-13 * is.worst * is.worst * moved;
      const GainProducts gain = samples.push(S, c, a_rows, d_rows);
      RC_ASSERT(std::abs(samples.change_along_d() - d.dot(weights - w)) <= w_tolerance * d.norm());
      e = next;
      length = c * length + a.norm();
      if (stream.uniform() < 0.1) {
        samples.leave_out();
        continue;
      }
      std::vector<double> e_at_d;
      for (std::size_t k = 0; k < d_rows.size; ++k) e_at_d.push_back(e[static_cast<Index>(d_rows.rows[k])]);
      samples.keep(d_rows, e_at_d.data());
      is.add(e, d);
      const VectorXd s = solve(is.S(), e);
      const double tolerance = 1e-10 * is.worst * is.worst;
      // They are computed from products with D^-1.
      const double over_D = length * length / is.D.minCoeff();
      RC_ASSERT(std::abs(gain.es - e.dot(s)) <= tolerance * over_D);
      const double size = is.D.maxCoeff() * s.squaredNorm() + over_D;
      RC_ASSERT(std::abs(gain.sDs - s.dot(is.D.cwiseProduct(s))) <= tolerance * size);
      const double step = stream.number();
      samples.follow(step);
      weights += step * s;
      moved += std::abs(step) * s.norm();
      for (std::size_t r = 0; r < static_cast<std::size_t>(shape.n); ++r) {
        const auto row = static_cast<Index>(r);
        RC_ASSERT(std::abs(w[row] + samples.change(S, r) - weights[row]) <= 1e-12 * is.worst * is.worst * moved);
      }
    }
  }));
}

}  // namespace
}  // namespace bellwether
