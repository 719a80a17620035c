#include <bellwether/linalg/dense/small_dense.h>

#include <Eigen/Core>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(SmallDense, InvertsMatricesThatNeedRowExchanges) {
  for (const Eigen::Index n : {1, 2, 3, 8, 31}) {
    RowMajor A = RowMajor::Random(n, n);
    if (n > 1) A(0, 0) = 0;
    RowMajor inverse = A;
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    ASSERT_TRUE(invert(order.size(), inverse.data(), order.size(), order.data()));
    EXPECT_LE((A * inverse - RowMajor::Identity(n, n)).norm(), 1e-13 * inverse.norm() * A.norm());
  }
}

TEST(SmallDense, SaysThatAMatrixIsSingular) {
  RowMajor A = RowMajor::Random(5, 5);
  A.row(3) = A.row(1) - 2 * A.row(4);
  std::vector<std::size_t> order(5);
  EXPECT_FALSE(invert(5, A.data(), 5, order.data()));
  RowMajor zero = RowMajor::Zero(3, 3);
  EXPECT_FALSE(invert(3, zero.data(), 3, order.data()));
}

TEST(SmallDense, GivesTheInverseOfTheCholeskyFactor) {
  for (const Eigen::Index n : {1, 2, 5, 23}) {
    const RowMajor B = RowMajor::Random(n, n + 3);
    const RowMajor A = B * B.transpose();
    RowMajor X = A;
    ASSERT_GT(inverse_cholesky(static_cast<std::size_t>(n), X.data(), static_cast<std::size_t>(n), 1e-12), 0);
    EXPECT_TRUE(RowMajor(X.triangularView<Eigen::StrictlyLower>()).isZero(0));
    EXPECT_LE((X.transpose() * A * X - RowMajor::Identity(n, n)).norm(), 1e-10);
  }
}

TEST(SmallDense, SaysThatAMatrixIsNotPositiveDefinite) {
  RowMajor A = RowMajor::Identity(4, 4);
  A(2, 2) = -1;
  EXPECT_EQ(inverse_cholesky(4, A.data(), 4, 1e-12), 0);
  RowMajor twins = RowMajor::Constant(3, 3, 1.0);
  EXPECT_EQ(inverse_cholesky(3, twins.data(), 3, 1e-12), 0);
}

}  // namespace
}  // namespace bellwether
