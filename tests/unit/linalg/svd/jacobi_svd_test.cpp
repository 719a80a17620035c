#include <bellwether/linalg/svd/jacobi_svd.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "support/dense_algebra.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using testing::RandomVectors;

struct Factors {
  MatrixXd L, R;  // columns with sigma > 0 only
  VectorXd sigma;
};

Factors factors(const JacobiSvd& svd, Index a, Index b) {
  Factors f;
  f.sigma = Eigen::Map<const VectorXd>(svd.values().data(), a);
  const Index r = (f.sigma.array() > 1e-14 * f.sigma[0]).count();
  f.L.resize(a, r);
  f.R.resize(b, r);
  for (Index i = 0; i < r; ++i) {
    f.L.col(i) = Eigen::Map<const VectorXd>(svd.left(static_cast<std::size_t>(i)), a);
    f.R.col(i) = Eigen::Map<const VectorXd>(svd.scaled_right(static_cast<std::size_t>(i)), b) / f.sigma[i];
  }
  return f;
}

void expect_svd_of(const MatrixXd& M, const Factors& f) {
  const MatrixXd I = MatrixXd::Identity(f.L.cols(), f.L.cols());
  EXPECT_LE((f.L.transpose() * f.L - I).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((f.R.transpose() * f.R - I).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((f.L * f.sigma.head(f.L.cols()).asDiagonal() * f.R.transpose() - M).norm(), 1e-13 * M.norm());
  EXPECT_TRUE(std::is_sorted(f.sigma.begin(), f.sigma.end(), std::greater<>()));
}

Factors decomposed(const MatrixXd& M) {
  const Index stride = 24;
  RowMatrix rows = RowMatrix::Zero(M.rows(), stride);
  rows.leftCols(M.cols()) = M;
  JacobiSvd svd(20);
  svd.compute(rows.data(), static_cast<std::size_t>(M.rows()), static_cast<std::size_t>(M.cols()), stride);
  return factors(svd, M.rows(), M.cols());
}

TEST(JacobiSvd, DecomposesMatricesOfAnyShapeAndRank) {
  RandomVectors random;
  for (const auto& [a, b] : {std::pair<Index, Index>{12, 12}, {7, 15}, {15, 7}, {1, 1}, {20, 20}}) {
    const MatrixXd M = random.matrix(a, b);
    const Factors f = decomposed(M);
    expect_svd_of(M, f);
    const VectorXd expected = testing::Svd(M).sigma;
    EXPECT_LE((f.sigma.head(expected.size()) - expected).cwiseAbs().maxCoeff(), 1e-14 * expected[0] * 20);
  }
  const MatrixXd low = random.matrix(14, 3) * random.matrix(3, 11);
  const Factors f = decomposed(low);
  EXPECT_EQ(f.L.cols(), 3);
  expect_svd_of(low, f);
}

TEST(JacobiSvd, HasTheDigitsOfSmallSingularValues) {
  // Rows of very different size: sigma_8 is 1e-14 sigma_1, and known to ten digits.
  RandomVectors random;
  MatrixXd M = random.matrix(8, 8);
  for (Index i = 0; i < 8; ++i) M.row(i) *= std::pow(10, -2.0 * static_cast<double>(i));
  const Factors f = decomposed(M);
  // In exact arithmetic det M = prod sigma.
  EXPECT_NEAR(f.sigma.prod() / std::abs(testing::determinant(M)), 1, 1e-10);
}

TEST(JacobiSvd, StartsFromAGuess) {
  constexpr Index n = 16;
  RandomVectors random;
  const RowMatrix M = random.matrix(n, n);
  const RowMatrix guess = testing::Svd(M).U.transpose();
  JacobiSvd svd(n);
  svd.compute(M.data(), n, n, guess.data(), n);
  expect_svd_of(M, factors(svd, n, n));
}

TEST(JacobiSvd, ConvergesForMatricesOfLowRank) {
  // Rows beyond the rank are rounding: they have no direction, and no number of rotations makes them orthogonal.
  constexpr Index n = 60;
  RandomVectors random;
  const RowMatrix M = random.matrix(n, 20) * random.matrix(20, n);
  JacobiSvd svd(n);
  std::vector<double> rows(static_cast<std::size_t>(n * 64));
  for (Index i = 0; i < n; ++i) std::copy_n(M.row(i).data(), n, rows.data() + i * 64);
  svd.compute(rows.data(), n, n, 64);
  EXPECT_LE(svd.sweeps(), 10);
  expect_svd_of(M, factors(svd, n, n));
}

TEST(JacobiSvd, OfZeroIsZero) {
  JacobiSvd svd(4);
  const std::vector<double> zero(32);
  svd.compute(zero.data(), 4, 3, 8);
  for (const double sigma : svd.values()) EXPECT_EQ(sigma, 0);
}

}  // namespace
}  // namespace bellwether
