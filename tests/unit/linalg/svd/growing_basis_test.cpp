#include <bellwether/linalg/svd/growing_basis.h>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include "support/dense_algebra.h"
#include "support/factorisations.h"
#include "support/random_vectors.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

VectorXd coordinates(const GrowingBasis& basis) {
  return Eigen::Map<const VectorXd>(basis.coordinates(), static_cast<Index>(basis.size()));
}

/// Resolves v as sparse or dense and, if it brings a direction, extends the basis; returns its new coordinates.
VectorXd take_up(GrowingBasis& basis, const VectorXd& v, bool as_sparse) {
  if (as_sparse) basis.resolve(1, Sparse(v).view());
  else basis.resolve(1, dense(v));
  VectorXd y = coordinates(basis);
  if (basis.residual() == 0) return y;
  y.conservativeResize(y.size() + 1);
  y[y.size() - 1] = basis.residual();
  basis.extend();
  return y;
}

TEST(GrowingBasis, IsOrthonormalAndHoldsWhatItTookUp) {
  for (const bool as_sparse : {false, true}) {
    RandomVectors random;
    GrowingBasis basis(60, 20);
    for (int t = 0; t < 20; ++t) {
      const VectorXd v = std::pow(10, t % 5 - 2) * random.sparse(60, 6);
      const VectorXd y = take_up(basis, v, as_sparse);
      const MatrixXd U = columns(basis);
      EXPECT_LE(defect(U), 1e-14 * 50);
      EXPECT_LE((U * y - v).norm(), 1e-14 * v.norm() * 50);
    }
    EXPECT_EQ(basis.size(), 20U);
  }
}

TEST(GrowingBasis, IsTheSameForSparseAndDenseVectors) {
  RandomVectors random;
  GrowingBasis stored(60, 20);
  GrowingBasis listed(60, 20);
  for (int t = 0; t < 15; ++t) {
    const VectorXd v = random.sparse(60, 5);
    const VectorXd y = take_up(stored, v, false);
    EXPECT_LE((take_up(listed, v, true) - y).norm(), 1e-13);
  }
  EXPECT_LE((columns(stored) - columns(listed)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(GrowingBasis, StaysOrthonormalWhenVectorsAreNearlyDependent) {
  for (const bool as_sparse : {false, true}) {
    for (const double apart : {1e-1, 1e-2, 1e-3, 1e-5, 1e-8, 3e-10}) {
      RandomVectors random;
      GrowingBasis basis(100, 30);
      VectorXd v = random.sparse(100, 10);
      for (int t = 0; t < 20; ++t) {
        const VectorXd y = take_up(basis, v, as_sparse);
        EXPECT_LE(defect(columns(basis)), 1e-13) << apart << " " << t;
        EXPECT_LE((columns(basis) * y - v).norm(), 1e-12 * v.norm()) << apart;
        VectorXd step = VectorXd::Zero(100);
        step[(7 * t + 3) % 100] = apart;  // a new direction each time
        v += step;
      }
      EXPECT_EQ(basis.size(), 20U) << apart;
    }
  }
}

TEST(GrowingBasis, TakesUpNothingFromDependentVectors) {
  for (const bool as_sparse : {false, true}) {
    RandomVectors random;
    const MatrixXd B = random.matrix(60, 4);
    GrowingBasis basis(60, 20);
    for (int t = 0; t < 50; ++t) {
      VectorXd v = B * random.vector(4);
      if (as_sparse) v.tail(50).setZero();
      take_up(basis, v, as_sparse);
    }
    EXPECT_EQ(basis.size(), 4U);
    take_up(basis, VectorXd::Zero(60), as_sparse);
    EXPECT_EQ(basis.size(), 4U);
  }
}

TEST(GrowingBasis, FillsTheWholeSpaceAndNoMore) {
  for (const bool as_sparse : {false, true}) {
    RandomVectors random;
    GrowingBasis basis(5, 5);
    for (int t = 0; t < 30; ++t) take_up(basis, random.sparse(5, 2), as_sparse);
    EXPECT_EQ(basis.size(), 5U);
    EXPECT_LE(defect(columns(basis)), 1e-14);
  }
}

TEST(GrowingBasis, RotatesStoredAndListedColumnsAlike) {
  RandomVectors random;
  GrowingBasis basis(80, 12);
  for (int t = 0; t < 12; ++t) take_up(basis, random.sparse(80, 7), t % 3 != 0);
  const MatrixXd before = columns(basis);
  const MatrixXd W = testing::orthonormal(random.matrix(12, 5));
  RowMatrix room = RowMatrix::Zero(12, 8);
  room.leftCols(5) = W;
  basis.rotate(room.data(), 5, 8);
  EXPECT_EQ(basis.size(), 5U);
  EXPECT_LE((columns(basis) - before * W).cwiseAbs().maxCoeff(), 1e-14);
  take_up(basis, random.sparse(80, 7), true);
  EXPECT_LE(defect(columns(basis)), 1e-14);
}

TEST(GrowingBasis, ProjectsAndCombines) {
  RandomVectors random;
  GrowingBasis basis(50, 10);
  for (int t = 0; t < 9; ++t) take_up(basis, random.sparse(50, 6), t % 2 == 0);
  const MatrixXd U = columns(basis);
  const VectorXd v = random.vector(50);
  std::vector<double> y(16);
  basis.project(v.data(), y.data());
  EXPECT_LE((Eigen::Map<VectorXd>(y.data(), 9) - U.transpose() * v).norm(), 1e-14);
  const VectorXd x = random.sparse(50, 4);
  EXPECT_NEAR(basis.dot(y.data(), Sparse(x).view()), x.dot(U * (U.transpose() * v)), 1e-14);
}

TEST(GrowingBasis, DoesNotDriftOverManyRotations) {
  // Sparse vectors that mostly lie in the span, so that little of them is new: what single Gram-Schmidt loses most on.
  RandomVectors random;
  GrowingBasis basis(64, 16);
  double worst = 0;
  for (int round = 0; round < 4000; ++round) {
    while (basis.size() < 14) {
      VectorXd v = random.sparse(64, 3);
      v.head(8) += 20 * random.vector(8);
      take_up(basis, v, true);
    }
    RowMatrix W = RowMatrix::Zero(14, 8);
    const MatrixXd turn = random.matrix(14, 6);
    W.leftCols(6) = testing::orthonormal(turn);
    basis.rotate(W.data(), 6, 8);
    if (round % 50 == 0) worst = std::max(worst, defect(columns(basis)));
  }
  EXPECT_LE(worst, 1e-12);
}

TEST(GrowingBasis, ResolvesSparseVectorsWhenItHasNoRoomForAColumn) {
  RandomVectors random;
  GrowingBasis basis(20, 3);
  for (int t = 0; t < 3; ++t) take_up(basis, random.sparse(20, 4), true);
  const MatrixXd U = columns(basis);
  const VectorXd v = random.sparse(20, 4);
  basis.resolve(1, Sparse(v).view());
  EXPECT_LE((coordinates(basis) - U.transpose() * v).norm(), 1e-14);
  EXPECT_NEAR(basis.residual(), (v - U * (U.transpose() * v)).norm(), 1e-14);
}

}  // namespace
}  // namespace bellwether
