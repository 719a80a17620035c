#pragma once

#include <Eigen/Dense>

/// Eigen's decompositions take the compiler longer than all that tests do with them, so they are compiled once, in
/// dense_algebra.cpp, and not in every test that mentions one.
namespace bellwether::testing {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace bellwether::testing

// clang-format off
#define BELLWETHER_DECOMPOSITIONS(KEYWORD)                                                     \
  KEYWORD template class Eigen::BDCSVD<Eigen::MatrixXd>;                                       \
  KEYWORD template class Eigen::BDCSVD<bellwether::testing::RowMajorMatrix>;                   \
  KEYWORD template class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;              \
  KEYWORD template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;                          \
  KEYWORD template class Eigen::EigenSolver<Eigen::MatrixXd>;                                  \
  KEYWORD template class Eigen::HouseholderQR<Eigen::MatrixXd>;                                \
  KEYWORD template class Eigen::JacobiSVD<Eigen::MatrixXd>;                                    \
  KEYWORD template class Eigen::JacobiSVD<bellwether::testing::RowMajorMatrix>;                \
  KEYWORD template class Eigen::LDLT<Eigen::MatrixXd>;                                         \
  KEYWORD template class Eigen::PartialPivLU<Eigen::MatrixXd>;                                 \
  KEYWORD template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;                       \
  KEYWORD template class Eigen::SelfAdjointEigenSolver<bellwether::testing::RowMajorMatrix>;

BELLWETHER_DECOMPOSITIONS(extern)
