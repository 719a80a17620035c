#include "support/dense_algebra.h"

#include <algorithm>

#include <Eigen/Dense>

namespace bellwether::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

VectorXd shortest_solution(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

MatrixXd inverse(const MatrixXd& A) { return A.inverse(); }

double determinant(const MatrixXd& A) { return A.determinant(); }

Eigen::Index rank(const MatrixXd& A) { return A.colPivHouseholderQr().rank(); }

Eigen::VectorXcd eigenvalues(const MatrixXd& A) { return A.eigenvalues(); }

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Svd::Svd(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  U = svd.matrixU();
  sigma = svd.singularValues();
  V = svd.matrixV();
}

MatrixXd Svd::truncated(Eigen::Index k) const {
  k = std::min(k, sigma.size());
  return U.leftCols(k) * sigma.head(k).asDiagonal() * V.leftCols(k).transpose();
}

VectorXd Svd::pseudo_inverse(const VectorXd& v, double cutoff) const {
  VectorXd c = U.leftCols(sigma.size()).transpose() * v;
  for (Eigen::Index i = 0; i < c.size(); ++i) c[i] = sigma[i] > cutoff * sigma[0] ? c[i] / sigma[i] : 0;
  return V.leftCols(sigma.size()) * c;
}

MatrixXd orthonormal(const MatrixXd& A) {
  return Eigen::HouseholderQR<MatrixXd>(A).householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

}  // namespace bellwether::testing
