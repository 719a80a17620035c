#include <bellwether/linalg/simd/matvec.h>

#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/linalg/simd/kernels.h>

#include "support/random_vectors.h"

namespace bellwether {
namespace {

TEST(Matvec, IsTheProductForAnyNumberOfRows) {
  testing::RandomVectors random;
  for (Eigen::Index rows = 0; rows < 11; ++rows) {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = random.matrix(rows, 24);
    const Eigen::VectorXd x = random.vector(16);
    const Eigen::VectorXd z = random.vector(rows);
    Eigen::VectorXd y = Eigen::VectorXd::Ones(rows);
    Eigen::VectorXd u = Eigen::VectorXd::Ones(16);
    kernels::add_matvec(static_cast<std::size_t>(rows), 16, A.data(), 24, -2, x.data(), y.data());
    kernels::add_transposed_matvec(static_cast<std::size_t>(rows), 16, A.data(), 24, z.data(), u.data());
    const Eigen::MatrixXd left = A.leftCols(16);
    EXPECT_LE((y - Eigen::VectorXd::Ones(rows) + 2 * left * x).norm(), 1e-14 * 4);
    EXPECT_LE((u - Eigen::VectorXd::Ones(16) - left.transpose() * z).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(Matvec, HasTheBitsOfDotForAnyNumberOfColumns) {
  testing::RandomVectors random;
  constexpr std::size_t rows = 7;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = random.matrix(rows, 24);
  const Eigen::VectorXd x = random.vector(24);
  for (std::size_t n = 0; n <= 24; ++n) {
    std::vector<double> y(rows);
    kernels::add_matvec(rows, n, A.data(), 24, 1, x.data(), y.data());
    for (std::size_t i = 0; i < rows; ++i) EXPECT_EQ(y[i], kernels::dot(A.data() + i * 24, x.data(), n)) << n;
  }
}

TEST(Matvec, SumsTheSizesOfAllTermsBesideTheTerms) {
  testing::RandomVectors random;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = random.matrix(5, 24);
  const Eigen::MatrixXd left = A.leftCols(16);
  const Eigen::VectorXd x = random.vector(16);
  const Eigen::VectorXd z = random.vector(5);
  Eigen::VectorXd y(5), y_sizes(5), u(16), u_sizes(16);
  kernels::matvec_with_sizes(5, 16, A.data(), 24, x.data(), y.data(), y_sizes.data());
  kernels::transposed_matvec_with_sizes(5, 16, A.data(), 24, z.data(), u.data(), u_sizes.data());
  EXPECT_LE((y - left * x).norm(), 1e-14);
  EXPECT_LE((y_sizes - left.cwiseAbs() * x.cwiseAbs()).norm(), 1e-14 * 4);
  EXPECT_LE((u - left.transpose() * z).norm(), 1e-14);
  EXPECT_LE((u_sizes - left.cwiseAbs().transpose() * z.cwiseAbs()).norm(), 1e-14 * 4);
}

}  // namespace
}  // namespace bellwether
