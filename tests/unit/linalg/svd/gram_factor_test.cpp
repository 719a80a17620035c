#include <bellwether/linalg/svd/gram_factor.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The largest |M q - b| / (|M| |q| + |b|) over solutions q = M^-1 b, one after each of `terms` random terms in a space
/// of dimension `rank`: the backward error. Rounding in 300 terms explains 300 times 1e-16.
double worst_residual(Index k, Index d, double ridge, Index rank, double scale) {
  const MatrixXd directions = MatrixXd::Random(d, rank);
  MatrixXd N = MatrixXd::Zero(k, d);
  GramFactor factor(static_cast<std::size_t>(k), ridge);
  double worst = 0;
  for (int t = 0; t < 300; ++t) {
    const VectorXd s = scale * VectorXd::Random(k);
    const VectorXd direction = directions * VectorXd::Random(rank);
    const VectorXd y = N * direction;
    factor.add(s.data(), y.data(), direction.squaredNorm());
    N += s * direction.transpose();
    const MatrixXd M = N * N.transpose() + factor.ridge() * MatrixXd::Identity(k, k);
    for (const VectorXd& b : {VectorXd(VectorXd::Random(k)), s}) {
      VectorXd q = b;
      factor.solve(q.data());
      worst = std::max(worst, (M * q - b).norm() / (M.norm() * q.norm() + b.norm()));
    }
  }
  return worst;
}

TEST(GramFactor, SolvesWithTheGramMatrixAfterEveryTerm) {
  EXPECT_LE(worst_residual(1, 4, 1, 4, 1), 3e-14);
  EXPECT_LE(worst_residual(6, 9, 1, 9, 1), 3e-14);
  EXPECT_LE(worst_residual(6, 4, 1, 4, 1), 3e-14) << "more rows than columns";
}

TEST(GramFactor, KeepsItsDigitsWhenTheRidgeIsSmall) {
  for (const double ridge : {1e-3, 1e-6, 1e-9}) EXPECT_LE(worst_residual(6, 9, ridge, 9, 1), 3e-14) << ridge;
}

TEST(GramFactor, StaysDefiniteWhenTermsLieInOneDirection) {
  // One large eigenvalue and five small ones: here a Cholesky factor that is updated by subtracting breaks down.
  EXPECT_LE(worst_residual(6, 9, 1e-3, 1, 1e3), 3e-14);
}

TEST(GramFactor, RaisesARidgeThatIsLostInRounding) {
  const VectorXd s = 1e12 * VectorXd::Unit(3, 1) + 1e12 * VectorXd::Unit(3, 0);
  const VectorXd zero = VectorXd::Zero(3);
  GramFactor factor(3, 1);
  factor.add(s.data(), zero.data(), 1e24);
  EXPECT_GE(factor.ridge(), 1e-13 * 2e48);
  EXPECT_LE(factor.ridge(), 1e-12 * 2e48);
  VectorXd q = s;
  factor.solve(q.data());
  EXPECT_NEAR(s.dot(q) * 1e24, 1, 1e-11);
  EXPECT_LE((q - s / 2e48).norm(), 1e-3 * (s / 2e48).norm()) << "rounding, 1e-16, over 4e-13";
  EXPECT_LE(worst_residual(6, 9, 1, 2, 1e12), 3e-14);
  GramFactor enough(3, 1);
  const VectorXd one = VectorXd::Ones(3);
  enough.add(one.data(), zero.data(), 1);
  EXPECT_EQ(enough.ridge(), 1);
}

TEST(GramFactor, IsNotChangedByTermsOfZero) {
  const VectorXd s = VectorXd::Random(3);
  const VectorXd zero = VectorXd::Zero(3);
  GramFactor factor(3, 4);
  factor.add(s.data(), zero.data(), 0);
  factor.add(zero.data(), zero.data(), 1);
  VectorXd q = VectorXd::Ones(3);
  factor.solve(q.data());
  EXPECT_EQ(q, VectorXd::Constant(3, 0.25));
}

}  // namespace
}  // namespace bellwether
