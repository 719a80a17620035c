#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/linalg/low_rank/dense_samples.h>

#include "support/dense_algebra.h"
#include "support/factorisations.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::defect;
using testing::LowRankParts;
using testing::Svd;

VectorXd random_vector(Index n, Rng& rng) {
  return VectorXd::NullaryExpr(n, [&] { return 2 * rng.uniform() - 1; });
}

struct Matrix {
  Matrix(Index n, std::size_t rank, std::size_t block, bool exact, bool compensate = true)
      : S({static_cast<std::size_t>(n), rank, block}, compensate, exact), samples(S) {
    S.start(0.5);
    for (Index r = 0; r < n; ++r) S.add_row();
    samples.begin(S);
  }

  /// Adds e d^T; true when the samples gathered were absorbed.
  bool add(const VectorXd& e, const VectorXd& d) {
    samples.push(S, e.data(), d.data());
    samples.keep();
    if (samples.has_room()) return false;
    samples.multiply_out(S);
    S.absorb(samples, 0.5);
    samples.begin(S);
    return true;
  }

  DiagonalPlusLowRank S;
  DenseSamples samples;
};

TEST(DiagonalPlusLowRank, SolvesAndMultiplies) {
  Rng rng(1);
  for (const std::size_t rank : {0U, 1U, 3U, 9U, 20U}) {
    Matrix m(15, rank, 6, true);
    for (int i = 0; i < 60; ++i) {
      const VectorXd e = random_vector(15, rng);
      m.add(e, e + 0.3 * random_vector(15, rng));
    }
    const MatrixXd S = LowRankParts(m.S).S();
    const VectorXd v = random_vector(15, rng);
    VectorXd out(15);
    std::vector<double> small(2 * m.S.width());
    m.S.solve(v.data(), out.data(), small.data());
    EXPECT_LE((S * out - v).norm(), 1e-11 * S.norm() * out.norm()) << "rank " << rank;
    m.S.multiply(v.data(), out.data(), small.data());
    EXPECT_LE((S * v - 0.5 * v - out).norm(), 1e-12 * S.norm());
  }
}

TEST(DiagonalPlusLowRank, HoldsTheWholeSumWhileTheRankSuffices) {
  Rng rng(2);
  Matrix m(8, 8, 5, true);
  MatrixXd S = 0.5 * MatrixXd::Identity(8, 8);
  for (int i = 0; i < 200; ++i) {
    const VectorXd e = random_vector(8, rng);
    const VectorXd d = random_vector(8, rng);
    S += e * d.transpose();
    if (!m.add(e, d)) continue;
    EXPECT_LE((LowRankParts(m.S).S() - S).cwiseAbs().maxCoeff(), 1e-12) << "after " << i;
  }
}

TEST(DiagonalPlusLowRank, MovesTheDiagonalOfWhatItDropsToD) {
  Rng rng(3);
  for (const bool compensate : {true, false}) {
    Matrix m(12, 3, 5, true, compensate);
    MatrixXd low = MatrixXd::Zero(12, 12);
    VectorXd D = VectorXd::Constant(12, 0.5);
    for (int i = 0; i < 50; ++i) {
      const VectorXd e = random_vector(12, rng);
      const VectorXd d = e + 0.5 * random_vector(12, rng);
      low += e * d.transpose();
      if (!m.add(e, d)) continue;
      const Svd svd(low);
      const MatrixXd kept = svd.truncated(3);
      if (compensate) D += (low - kept).diagonal().cwiseMax(0.0);
      const std::vector<double> values = m.S.singular_values();
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(values[j], svd.sigma[static_cast<Index>(j)], 1e-9 * svd.sigma[0]);
      }
      EXPECT_NEAR(m.S.dropped(), svd.sigma[3], 1e-9 * svd.sigma[0]);
      low = kept;
      const LowRankParts parts(m.S);
      ASSERT_LE((parts.low() - low).norm(), 1e-9 * low.norm());
      ASSERT_LE((parts.D - D).norm(), 1e-9 * low.norm());
    }
  }
}

TEST(DiagonalPlusLowRank, KeepsATinySampleBesideOneWhoseTraceIsZero) {
  // As after a ratio of zero. Beside |d|^2 of that sample, |e|^2 |d|^2 of the other looked negligible.
  Rng rng(5);
  Matrix m(5, 1, 2, true);
  const VectorXd e = 1e-8 * random_vector(5, rng);
  const VectorXd d = 1e-8 * random_vector(5, rng);
  m.add(e, d);
  ASSERT_TRUE(m.add(VectorXd::Zero(5), d));
  const MatrixXd sample = e * d.transpose();
  EXPECT_LE((LowRankParts(m.S).low() - sample).norm(), 1e-9 * sample.norm());
}

TEST(DiagonalPlusLowRank, KeepsItsColumnsOrthonormalOverAMillionSamples) {
  Rng rng(4);
  Matrix m(24, 6, 40, false);
  const MatrixXd mix = MatrixXd::NullaryExpr(24, 9, [&] { return 2 * rng.uniform() - 1; });
  double most = 0;
  for (int i = 0; i < 1000000; ++i) {
    const VectorXd e = mix * random_vector(9, rng) + 0.01 * random_vector(24, rng);
    if (m.add(e, e) && i % 1000 < 40) most = std::max(most, defect(LowRankParts(m.S).U));
  }
  EXPECT_LE(most, 1e-9);
  EXPECT_EQ(m.S.rank(), 6U);
}

}  // namespace
}  // namespace bellwether
