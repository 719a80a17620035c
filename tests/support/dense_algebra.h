#pragma once

#include <Eigen/Core>

/// Reference results by Eigen. Its decompositions are slow to compile, so they are compiled once, in dense_algebra.cpp,
/// and not in every test that needs one.
namespace bellwether::testing {

/// x with A x = b.
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The shortest x among those with the smallest |A x - b|.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);

/// The inverse by elimination with full pivoting, which loses least.
Eigen::MatrixXd inverse_by_full_pivoting(const Eigen::MatrixXd& A);

double determinant(const Eigen::MatrixXd& A);
Eigen::Index rank(const Eigen::MatrixXd& A);

/// The eigenvalues of any square matrix.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

/// The eigenvalues of a symmetric matrix, ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// A = U diag(sigma) V^T with square orthogonal U and V and descending sigma.
struct Svd {
  explicit Svd(const Eigen::MatrixXd& A);

  /// The best approximation of A of rank k.
  Eigen::MatrixXd truncated(Eigen::Index k) const;

  /// A+ v, where singular values up to cutoff sigma_1 count as zero.
  Eigen::VectorXd pseudo_inverse(const Eigen::VectorXd& v, double cutoff) const;

  Eigen::MatrixXd U;
  Eigen::VectorXd sigma;
  Eigen::MatrixXd V;
};

/// Orthonormal columns that span those of A, which has no fewer rows than columns.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A);

}  // namespace bellwether::testing
