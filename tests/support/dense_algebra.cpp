#include "support/dense_algebra.h"

#include <algorithm>
#include <limits>

#include <Eigen/Dense>

namespace bellwether::testing {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The share of the largest singular value below which the others are rounding.
double rounding(const MatrixXd& A) {
  return std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(A.rows(), A.cols()));
}

}  // namespace

VectorXd solve(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }

VectorXd shortest_solution(const MatrixXd& A, const VectorXd& b) { return Svd(A).pseudo_inverse(b, rounding(A)); }

MatrixXd inverse(const MatrixXd& A) { return A.partialPivLu().inverse(); }

MatrixXd inverse_by_full_pivoting(const MatrixXd& A) { return A.fullPivLu().inverse(); }

double determinant(const MatrixXd& A) { return A.determinant(); }

Eigen::Index rank(const MatrixXd& A) {
  const VectorXd sigma = Svd(A).sigma;
  return (sigma.array() > rounding(A) * sigma[0]).count();
}

Eigen::VectorXcd eigenvalues(const MatrixXd& A) { return A.eigenvalues(); }

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  VectorXd values = eigenvalues(A).real();
  std::ranges::sort(values);
  return values;
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

MatrixXd orthonormal(const MatrixXd& A) { return Svd(A).U.leftCols(A.cols()); }

}  // namespace bellwether::testing
