#include <bellwether/linalg/inverse/rank_one_block.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::inverse;

TEST(RankOneBlock, FollowsShermanMorrisonUpdateByUpdate) {
  constexpr Index n = 7;
  constexpr Index m = 5;
  const MatrixXd S0 = MatrixXd::Random(n, n) + 4 * MatrixXd::Identity(n, n);
  const MatrixXd P0 = inverse(S0);
  const MatrixXd E = MatrixXd::Random(n, m);
  MatrixXd D = MatrixXd::Random(n, m);
  MatrixXd S = S0;
  MatrixXd gains(n, m);
  RankOneBlock block(m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) block.row()[j] = D.col(i).dot(P0 * E.col(j));
    for (Index j = 0; j < i; ++j) block.column()[j] = D.col(j).dot(P0 * E.col(i));
    const double pivot = block.append();
    EXPECT_NEAR(pivot, 1 + D.col(i).dot(inverse(S) * E.col(i)), 1e-13);
    for (Index j = 0; j < i; ++j) EXPECT_NEAR(block.lower()[j], D.col(i).dot(gains.col(j)), 1e-13);
    if (i == 2) {
      D.col(i).setZero();  // a sample that is left out
      block.neutralise();
    } else {
      block.accept();
    }
    S += E.col(i) * D.col(i).transpose();
    gains.col(i) = inverse(S) * E.col(i);
  }
  EXPECT_EQ(block.size(), 5U);
  VectorXd y = VectorXd::Random(m);
  const VectorXd combined = gains * y;
  block.solve_upper(y.data());
  EXPECT_LE((P0 * E * y - combined).cwiseAbs().maxCoeff(), 1e-13);

  const VectorXd v = VectorXd::Random(n);
  VectorXd z = D.transpose() * P0 * v;
  block.solve_lower(z.data());
  block.solve_upper(z.data());
  EXPECT_LE((P0 * v - P0 * E * z - inverse(S) * v).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace bellwether
