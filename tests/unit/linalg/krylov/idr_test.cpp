#include <bellwether/linalg/krylov/idr.h>

#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

Eigen::MatrixXd random_matrix(Eigen::Index n, double shift) {
  Rng rng(static_cast<std::uint64_t>(n));
  Eigen::MatrixXd A(n, n);
  for (double& v : A.reshaped()) v = rng.uniform() - 0.5;
  return A + shift * Eigen::MatrixXd::Identity(n, n);
}

/// IDR preconditioned by M, or by nothing.
Idr solver(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M_inverse) {
  const auto times = [](const Eigen::MatrixXd& matrix) {
    return [&matrix](const double* v, double* out) {
      const Eigen::Index n = matrix.rows();
      Eigen::Map<Eigen::VectorXd>(out, n) = matrix * Eigen::Map<const Eigen::VectorXd>(v, n);
    };
  };
  return {.multiply = times(A), .precondition = times(M_inverse)};
}

TEST(Idr, SolvesEquationsThatAreNotSymmetric) {
  for (const Eigen::Index n : {1, 2, 3, 5, 40, 150}) {
    const Eigen::MatrixXd A = random_matrix(n, 6);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = A * Eigen::VectorXd::LinSpaced(n, -1, 2);
    std::vector<double> x(static_cast<std::size_t>(n));
    const auto result = solver(A, one).solve({b.data(), x.size()}, x);
    const Eigen::Map<const Eigen::VectorXd> found(x.data(), n);
    const double residual = (b - A * found).norm() / b.norm();
    EXPECT_LE(residual, 1e-12) << n;
    EXPECT_NEAR(result.residual, residual, 1e-14);
    EXPECT_LE(result.iterations, 80U);
  }
}

TEST(Idr, NeedsAlmostNoIterationsWithTheInverseItself) {
  const Eigen::MatrixXd A = random_matrix(60, 1);
  const Eigen::MatrixXd inverse = testing::inverse(A);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(60);
  std::vector<double> x(60);
  const auto result = solver(A, inverse).solve({b.data(), 60}, x);
  EXPECT_LE(result.residual, 1e-12);
  EXPECT_LE(result.iterations, 3U);
}

TEST(Idr, GoesOnFromWhereItStarts) {
  const Eigen::MatrixXd A = random_matrix(30, 5);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(30, 30);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(30);
  std::vector<double> x(30);
  const Idr idr = solver(A, one);
  idr.solve({b.data(), 30}, x);
  const auto before = x;
  EXPECT_EQ(idr.solve({b.data(), 30}, x).iterations, 0U);
  EXPECT_EQ(x, before);
}

TEST(Idr, StopsWhereThereIsNoSolutionAndStaysFinite) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 6);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(6, 6);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(6);
  std::vector<double> x(6);
  EXPECT_EQ(solver(A, one).solve({b.data(), 6}, x).residual, 1);
  for (const double v : x) EXPECT_TRUE(std::isfinite(v));
}

TEST(Idr, SolvesEquationsWhoseUnknownsOccurTwice) {
  // Residuals repeat too, and random signs that differ between the copies are orthogonal to all of them.
  for (const Eigen::Index n : {1, 2, 3, 4}) {
    for (int seed = 1; seed <= 50; ++seed) {
      Rng rng(static_cast<std::uint64_t>(seed));
      Eigen::MatrixXd half(n, n);
      for (double& v : half.reshaped()) v = rng.uniform() - 0.5;
      half.diagonal().array() += 1;
      Eigen::MatrixXd A = half.replicate(2, 2);
      A.diagonal().array() += 0.1;
      const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(2 * n, 2 * n);
      const Eigen::VectorXd b = A * Eigen::VectorXd::LinSpaced(n, 1, 2).replicate(2, 1);
      std::vector<double> x(static_cast<std::size_t>(2 * n));
      EXPECT_LE(solver(A, one).solve({b.data(), x.size()}, x).residual, 1e-12) << n << " " << seed;
    }
  }
}

TEST(Idr, KeepsToTheIterationsItMayMake) {
  const Eigen::MatrixXd A = random_matrix(100, 0.5);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(100, 100);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(100);
  std::vector<double> x(100);
  Idr idr = solver(A, one);
  idr.iterations = 7;
  const auto result = idr.solve({b.data(), 100}, x);
  EXPECT_EQ(result.iterations, 7U);
  EXPECT_LE(result.residual, 1);
}

TEST(Idr, AnswersNothingWithNothing) {
  const Eigen::MatrixXd A = random_matrix(5, 3);
  const Eigen::VectorXd b = Eigen::VectorXd::Zero(5);
  std::vector<double> x(5);
  const auto result = solver(A, A).solve({b.data(), 5}, x);
  EXPECT_EQ(result.residual, 0);
  EXPECT_EQ(x, std::vector<double>(5));
}

}  // namespace
}  // namespace bellwether
