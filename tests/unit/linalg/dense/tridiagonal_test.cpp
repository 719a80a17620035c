#include <bellwether/linalg/dense/tridiagonal.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Filled {
  Tridiagonal T;
  MatrixXd dense;
};

Filled filled(Index n, double diagonal, double weight) {
  Filled all{Tridiagonal(static_cast<std::size_t>(n), diagonal), diagonal * MatrixXd::Identity(n, n)};
  for (Index i = 0; i < n; ++i) {
    for (Index j = std::max<Index>(0, i - 1); j < std::min(n, i + 2); ++j) {
      const double value = VectorXd::Random(1)[0] * (i == j ? weight : 1);
      all.T.add(static_cast<std::size_t>(i), static_cast<std::size_t>(j), value);
      all.dense(i, j) += value;
    }
  }
  return all;
}

TEST(Tridiagonal, SolvesWhateverTheSizeOfItsDiagonal) {
  for (const Index n : {1, 2, 3, 50}) {
    for (const double weight : {1.0, 1e-3, 1e-12}) {  // the last cannot be solved without exchanging rows
      if (weight < 1e-3 && n % 2 == 1) continue;      // nearly singular then
      Filled all = filled(n, 0, weight);
      const VectorXd b = VectorXd::Random(n);
      VectorXd y = b;
      ASSERT_TRUE(all.T.solve(y.data()));
      // Backward stable: the residual is that of rounding, whatever the condition.
      const double size = all.dense.cwiseAbs().maxCoeff() * y.cwiseAbs().maxCoeff();
      EXPECT_LE((all.dense * y - b).cwiseAbs().maxCoeff(), 1e-14 * size) << n << " " << weight;
    }
  }
}

TEST(Tridiagonal, LeavesAnEmptyRowToItsDiagonal) {
  // Features that were never seen have a tiny diagonal beside large ones: the matrix is not singular for that.
  Tridiagonal T(4, 1e-8);
  for (const std::size_t i : {0U, 1U, 3U}) T.add(i, i, 1e12);
  VectorXd y = VectorXd::Ones(4);
  ASSERT_TRUE(T.solve(y.data()));
  EXPECT_DOUBLE_EQ(y[2], 1e8);
  EXPECT_DOUBLE_EQ(y[3], 1e-12);
}

TEST(Tridiagonal, SaysWhenItIsSingular) {
  Tridiagonal T(3, 1);
  T.add(0, 1, 2);
  T.add(1, 0, 0.5);
  VectorXd y = VectorXd::Ones(3);
  EXPECT_FALSE(T.solve(y.data()));
  Tridiagonal zero(1, 1);
  zero.add(0, 0, -1);
  EXPECT_FALSE(zero.solve(y.data()));
}

}  // namespace
}  // namespace bellwether
