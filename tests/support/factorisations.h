#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include <bellwether/linalg/inverse/sherman_morrison.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/svd/eigen_update.h>
#include <bellwether/linalg/svd/growing_basis.h>
#include <bellwether/linalg/svd/incremental_svd.h>

/// Factorisations of the library, written out as dense matrices.
namespace bellwether::testing {

inline Eigen::VectorXd written_out(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

/// How far the columns are from orthonormal.
inline double defect(const Eigen::MatrixXd& U) {
  if (U.cols() == 0) return 0;
  return (U.transpose() * U - Eigen::MatrixXd::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff();
}

inline Eigen::MatrixXd columns(const GrowingBasis& basis) {
  Eigen::MatrixXd U =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(basis.dim()), static_cast<Eigen::Index>(basis.size()));
  for (Eigen::Index i = 0; i < U.cols(); ++i) {
    std::vector<double> unit(padded(basis.capacity()));
    unit[static_cast<std::size_t>(i)] = 1;
    basis.combine(unit.data(), U.col(i).data());
  }
  return U;
}

/// U, M and V of U M V^T.
struct Factors {
  Eigen::MatrixXd U, M, V;

  explicit Factors(const IncrementalSvd& svd)
      : U(static_cast<Eigen::Index>(svd.dim()), static_cast<Eigen::Index>(svd.left_size())),
        M(U.cols(), static_cast<Eigen::Index>(svd.right_size())),
        V(U.rows(), M.cols()) {
    for (Eigen::Index i = 0; i < U.cols(); ++i) U.col(i) = written_out(svd.left(static_cast<std::size_t>(i)));
    for (Eigen::Index i = 0; i < V.cols(); ++i) V.col(i) = written_out(svd.right(static_cast<std::size_t>(i)));
    const auto core = svd.core();
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      for (Eigen::Index j = 0; j < M.cols(); ++j) M(i, j) = core[static_cast<std::size_t>(i * M.cols() + j)];
    }
  }
  Eigen::MatrixXd product() const { return U * M * V.transpose(); }
};

inline Eigen::MatrixXd vectors(const EigenUpdate& eigen) {
  const auto n = static_cast<Eigen::Index>(eigen.size());
  Eigen::MatrixXd L(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    L.col(i) = Eigen::Map<const Eigen::VectorXd>(eigen.vector(static_cast<std::size_t>(i)), n);
  }
  return L;
}

inline Eigen::VectorXd values(const EigenUpdate& eigen) {
  return Eigen::Map<const Eigen::VectorXd>(eigen.values().data(), static_cast<Eigen::Index>(eigen.size()));
}

inline Eigen::MatrixXd inverse_of(const ShermanMorrison& P) {
  const auto rows = P.inverse();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto n = static_cast<Eigen::Index>(std::sqrt(static_cast<double>(rows.size())));
  return Eigen::Map<const RowMajor>(rows.data(), n, n);
}

/// U, V and D of diag(D) + U V^T, where no renewal is postponed.
struct LowRankParts {
  explicit LowRankParts(const DiagonalPlusLowRank& S)
      : U(static_cast<Eigen::Index>(S.rows()), static_cast<Eigen::Index>(S.rank())),
        V(U.rows(), U.cols()),
        D(U.rows()) {
    for (Eigen::Index r = 0; r < U.rows(); ++r) {
      const double* row = S.uv() + static_cast<std::size_t>(r) * S.uv_stride();
      for (Eigen::Index j = 0; j < U.cols(); ++j) {
        U(r, j) = row[j];
        V(r, j) = row[static_cast<std::size_t>(j) + S.width()];
      }
      D[r] = S.D(static_cast<std::size_t>(r));
    }
  }
  Eigen::MatrixXd low() const { return U * V.transpose(); }
  Eigen::MatrixXd S() const { return Eigen::MatrixXd(D.asDiagonal()) + low(); }

  Eigen::MatrixXd U, V;
  Eigen::VectorXd D;
};

}  // namespace bellwether::testing
