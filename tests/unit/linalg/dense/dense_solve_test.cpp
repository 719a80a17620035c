#include <bellwether/linalg/dense/dense_solve.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "support/random_vectors.h"

namespace bellwether {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(LuFactors, SolvesForVectorsAndMatrices) {
  testing::RandomVectors random(7);
  const MatrixXd A = random.matrix(6, 6);
  const VectorXd b = random.matrix(6, 1);
  const MatrixXd B = random.matrix(6, 3);
  const LuFactors lu(A);
  EXPECT_LT((A * lu.solve(b) - b).norm(), 1e-12);
  EXPECT_LT((A * lu.solve(B) - B).norm(), 1e-12);
}

TEST(LuFactors, EstimatesTheConditionOfADiagonalMatrixExactly) {
  const VectorXd diagonal = VectorXd::LinSpaced(5, 1, 8);
  EXPECT_DOUBLE_EQ(LuFactors(diagonal.asDiagonal()).reciprocal_condition(), 1.0 / 8);
}

TEST(LuFactors, GivesNoFiniteSolutionOfASingularSystem) {
  EXPECT_FALSE(LuFactors(MatrixXd::Zero(3, 3)).solve(VectorXd(VectorXd::Ones(3))).allFinite());
}

TEST(ShortestSolution, SatisfiesTheNormalEquationsWithoutAPartInTheNullSpace) {
  testing::RandomVectors random(8);
  const MatrixXd A = random.matrix(6, 2) * random.matrix(2, 5);
  const VectorXd b = random.matrix(6, 1);
  const VectorXd x = shortest_solution(A, b, 1e-12);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-12);
  const MatrixXd rows = column_basis(A.transpose(), 1e-12);
  EXPECT_LT((x - rows * (rows.transpose() * x)).norm(), 1e-12);
}

TEST(ColumnBasis, IsOrthonormalAndSpansTheColumns) {
  testing::RandomVectors random(9);
  const MatrixXd A = random.matrix(7, 3) * random.matrix(3, 5);
  const MatrixXd Q = column_basis(A, 1e-12);
  ASSERT_EQ(Q.cols(), 3);
  EXPECT_LT((Q.transpose() * Q - MatrixXd::Identity(3, 3)).norm(), 1e-13);
  EXPECT_LT((Q * (Q.transpose() * A) - A).norm(), 1e-12);
}

}  // namespace
}  // namespace bellwether
