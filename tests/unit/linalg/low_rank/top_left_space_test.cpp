#include <bellwether/linalg/low_rank/top_left_space.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

using Eigen::Index;
using testing::Svd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Product {
  RowMajor L, R;
  RowMajor S() const { return L * R.transpose(); }
};

/// U = L Z and V = R Y for the product L R^T.
std::pair<RowMajor, RowMajor> factors(const Product& product, const TopLeftSpace& space) {
  using Strided = Eigen::Map<const RowMajor, 0, Eigen::OuterStride<>>;
  const auto found = static_cast<Index>(space.found());
  const Eigen::OuterStride<> stride(static_cast<Index>(space.stride()));
  const Strided Z(space.Z(), product.L.cols(), found, stride);
  const Strided Y(space.Y(), product.L.cols(), found, stride);
  return {product.L * Z, product.R * Y};
}

void run(TopLeftSpace& space, const Product& product, std::size_t rank, bool exact, std::size_t warm = 0) {
  RowMajor GL = product.L.transpose() * product.L;
  RowMajor GR = product.R.transpose() * product.R;
  const auto n = static_cast<std::size_t>(GL.rows());
  if (exact) space.exact(n, GL.data(), GR.data(), n, rank);
  else space.refine(n, GL.data(), GR.data(), n, rank, warm);
}

TEST(TopLeftSpace, GivesTheBestApproximationOfItsRank) {
  const Product product{RowMajor::Random(60, 20), RowMajor::Random(60, 20)};
  TopLeftSpace space(20, 7);
  run(space, product, 7, true);
  ASSERT_EQ(space.found(), 7U);
  const auto [U, V] = factors(product, space);
  EXPECT_LE((U.transpose() * U - RowMajor::Identity(7, 7)).norm(), 1e-12);
  EXPECT_LE((V - product.S().transpose() * U).norm(), 1e-11);
  const Eigen::VectorXd sigma = Svd(product.S()).sigma;
  for (Index i = 0; i < 7; ++i) EXPECT_NEAR(std::sqrt(space.squares()[i]), sigma[i], 1e-11 * sigma[0]);
  EXPECT_NEAR(std::sqrt(space.left_out()), sigma[7], 1e-11 * sigma[0]);
  EXPECT_NEAR((product.S() - U * V.transpose()).squaredNorm(), sigma.tail(sigma.size() - 7).squaredNorm(), 1e-9);
}

TEST(TopLeftSpace, DoesNotMindHowAProductIsSharedBetweenItsFactors) {
  Product product{RowMajor::Random(40, 12), RowMajor::Random(40, 12)};
  TopLeftSpace space(12, 5);
  run(space, product, 5, true);
  const auto [U, V] = factors(product, space);
  product.L.rightCols(6) *= 1e-12;
  product.R.rightCols(6) *= 1e12;
  for (const bool exact : {true, false}) {
    run(space, product, 5, exact, 5);
    ASSERT_EQ(space.found(), 5U);
    const auto [other_U, other_V] = factors(product, space);
    if (exact) {
      EXPECT_LE((other_U * other_V.transpose() - U * V.transpose()).norm(), 1e-11);
    }
    EXPECT_LE((other_U.transpose() * other_U - RowMajor::Identity(5, 5)).norm(), 1e-11);
  }
}

TEST(TopLeftSpace, KeepsNoMoreDirectionsThanThereAre) {
  // Equal columns, and a product of rank 3.
  Product product{RowMajor::Random(30, 8), RowMajor::Random(30, 8)};
  product.R.rightCols(5) = product.R.leftCols(3) * RowMajor::Random(3, 5);
  TopLeftSpace space(8, 6);
  run(space, product, 6, true);
  EXPECT_EQ(space.found(), 3U);
  const auto [U, V] = factors(product, space);
  EXPECT_LE((product.S() - U * V.transpose()).norm(), 1e-9 * product.S().norm());

  product.L.setZero();
  run(space, product, 6, true);
  EXPECT_EQ(space.found(), 0U);
}

TEST(TopLeftSpace, RefinesAWarmStartToNearlyTheBestApproximation) {
  // A factorisation of rank 6 and 18 new samples from a stream with a decaying spectrum.
  RowMajor mix = RowMajor::Random(80, 80);
  for (Index j = 0; j < 80; ++j) mix.col(j) *= std::pow(0.8, static_cast<double>(j));
  const RowMajor old = mix * RowMajor::Random(80, 40) * (mix * RowMajor::Random(80, 40)).transpose();
  const Svd svd(old);
  Product product{RowMajor(80, 24), RowMajor(80, 24)};
  product.L << svd.U.leftCols(6), mix * RowMajor::Random(80, 18);
  product.R << svd.V.leftCols(6) * svd.sigma.head(6).asDiagonal(), mix * RowMajor::Random(80, 18);
  TopLeftSpace space(24, 6);
  run(space, product, 6, false, 6);
  ASSERT_EQ(space.found(), 6U);
  const auto [U, V] = factors(product, space);
  EXPECT_LE((U.transpose() * U - RowMajor::Identity(6, 6)).norm(), 1e-12);
  EXPECT_LE((V - product.S().transpose() * U).norm(), 1e-11 * product.S().norm());
  const Eigen::VectorXd sigma = Svd(product.S()).sigma;
  const double best = sigma.tail(sigma.size() - 6).norm();
  EXPECT_LE((product.S() - U * V.transpose()).norm(), 1.02 * best);
  EXPECT_GE((product.S() - U * V.transpose()).norm(), (1 - 1e-12) * best);
}

}  // namespace
}  // namespace bellwether
