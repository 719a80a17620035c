#include <bellwether/linalg/inverse/inverse_sum.h>

#include <vector>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr Index n = 6;

TEST(InverseSum, IsTheInverseAndTheSolutionOfBothSetsOfSamples) {
  testing::RandomVectors random;
  for (const double p0 : {0.1, 1.0, 1e4}) {
    const MatrixXd ridge = MatrixXd::Identity(n, n) / p0;
    const MatrixXd S1 = random.matrix(n, 3) * random.matrix(3, n);  // one of the two has not seen all directions
    const MatrixXd S2 = random.matrix(n, n);
    const VectorXd b1 = random.vector(n);
    const VectorXd b2 = random.vector(n);
    RowMajor P = RowMajor::Constant(n, n + 2, 7);
    P.leftCols(n) = testing::inverse(ridge + S1);
    const RowMajor P2 = testing::inverse(ridge + S2);
    VectorXd u = P.leftCols(n) * b1;
    const VectorXd u2 = P2 * b2;
    ASSERT_TRUE(add_inverse(n, p0, P.data(), n + 2, u.data(), P2.data(), u2.data()));

    const MatrixXd expected = testing::inverse(ridge + S1 + S2);
    EXPECT_LE((P.leftCols(n) - expected).norm(), 1e-9 * expected.norm()) << p0;
    EXPECT_LE((u - expected * (b1 + b2)).norm(), 1e-9 * u.norm()) << p0;
    EXPECT_EQ(P.rightCols(2), RowMajor::Constant(n, 2, 7)) << "written beyond the rows";
  }
}

TEST(InverseSum, IsRefusedWhereTheSumIsSingularAndChangesNothing) {
  // 1/p0 + S_1 + S_2 = 1 + 1 - 2
  double P = 1.0 / (1 + 1);
  double u = 3;
  const double P2 = 1.0 / (1 - 2);
  const double u2 = 4;
  EXPECT_FALSE(add_inverse(1, 1.0, &P, 1, &u, &P2, &u2));
  EXPECT_EQ(P, 0.5);
  EXPECT_EQ(u, 3);
}

}  // namespace
}  // namespace bellwether
