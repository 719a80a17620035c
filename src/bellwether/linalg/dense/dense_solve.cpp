#include <bellwether/linalg/dense/dense_solve.h>

#include <Eigen/LU>
#include <Eigen/QR>

namespace bellwether {

struct LuFactors::Factors {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

LuFactors::LuFactors(const Eigen::MatrixXd& A) : factors_(new Factors{Eigen::PartialPivLU<Eigen::MatrixXd>(A)}) {}
LuFactors::~LuFactors() = default;
LuFactors::LuFactors(LuFactors&&) noexcept = default;
LuFactors& LuFactors::operator=(LuFactors&&) noexcept = default;

Eigen::VectorXd LuFactors::solve(const Eigen::VectorXd& b) const { return factors_->lu.solve(b); }
Eigen::MatrixXd LuFactors::solve(const Eigen::MatrixXd& B) const { return factors_->lu.solve(B); }
double LuFactors::reciprocal_condition() const { return factors_->lu.rcond(); }

Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(A.rows(), A.cols());
  decomposition.setThreshold(threshold);
  decomposition.compute(A);
  return decomposition.solve(b);
}

Eigen::MatrixXd column_basis(const Eigen::MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A.rows(), A.cols());
  qr.setThreshold(threshold);
  qr.compute(A);
  return qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), qr.rank());
}

}  // namespace bellwether
