#include <bellwether/linalg/dense/symmetric_eigen.h>

#include <Eigen/Core>
#include <vector>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void expect_decomposed(const RowMajor& A) {
  const auto n = static_cast<std::size_t>(A.rows());
  RowMajor Q = A;
  Eigen::VectorXd values(A.rows());
  std::vector<double> work(3 * n);
  ASSERT_TRUE(symmetric_eigen(n, Q.data(), n, values.data(), work.data()));
  const double size = std::max(1e-300, A.norm());
  EXPECT_LE((Q.transpose() * values.asDiagonal() * Q - A).norm(), 1e-13 * size) << "n = " << n;
  EXPECT_LE((Q * Q.transpose() - RowMajor::Identity(A.rows(), A.rows())).norm(), 1e-13 * static_cast<double>(n));
  const Eigen::VectorXd expected = testing::symmetric_eigenvalues(A).reverse();
  EXPECT_LE((values - expected).cwiseAbs().maxCoeff(), 1e-13 * size);
}

TEST(SymmetricEigen, DecomposesRandomMatricesOfEverySize) {
  for (const Eigen::Index n : {1, 2, 3, 5, 16, 50, 90}) {
    const RowMajor B = RowMajor::Random(n, n);
    expect_decomposed(B + B.transpose());
    expect_decomposed(1e-30 * B * B.transpose());
  }
}

TEST(SymmetricEigen, DecomposesDegenerateMatrices) {
  expect_decomposed(RowMajor::Zero(6, 6));
  expect_decomposed(RowMajor::Identity(6, 6));
  expect_decomposed(RowMajor::Constant(7, 7, 2.0));
  const RowMajor thin = RowMajor::Random(20, 3);
  expect_decomposed(thin * thin.transpose());
  RowMajor graded = RowMajor::Random(12, 12);
  for (Eigen::Index i = 0; i < 12; ++i) graded.row(i) *= std::pow(10.0, static_cast<double>(-i));
  expect_decomposed(graded * graded.transpose());
}

}  // namespace
}  // namespace bellwether
