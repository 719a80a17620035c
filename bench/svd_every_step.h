#pragma once

#include <Eigen/Dense>

#include <bellwether/core/batch.h>

namespace bellwether::bench {

/// ATD as it is usually written: A = U M V^T grows by one column per step, and Eigen computes the singular values of
/// the small M anew at every step. `atd` is compared with it.
class SvdEveryStep {
 public:
  SvdEveryStep(std::size_t dim, std::size_t rank, double lambda, double cutoff)
      : d_(static_cast<Eigen::Index>(dim)), rank_(static_cast<Eigen::Index>(rank)), lambda_(lambda), cutoff_(cutoff) {
    w_ = Eigen::VectorXd::Zero(d_);
    e_ = Eigen::VectorXd::Zero(d_);
    U_.resize(d_, 0);
    V_.resize(d_, 0);
    M_.resize(0, 0);
  }

  void learn(const Batch& batch) {
    for (std::size_t i = 0; i < batch.size; ++i) {
      const auto x = batch.x.as<BinaryView>(i);
      const auto xn = batch.x_next.as<BinaryView>(i);
      Eigen::VectorXd d = Eigen::VectorXd::Zero(d_);
      e_ *= g_ * lambda_;
      x.for_each([&](std::size_t j, double v) {
        e_[static_cast<Eigen::Index>(j)] += v;
        d[static_cast<Eigen::Index>(j)] += v;
      });
      g_ = batch.discount[i];
      if (g_ > 0) xn.for_each([&](std::size_t j, double v) { d[static_cast<Eigen::Index>(j)] -= g_ * v; });
      step(batch.reward[i] - d.dot(w_), d);
    }
  }

  const Eigen::VectorXd& weights() const { return w_; }

 private:
  using Matrix = Eigen::MatrixXd;

  /// The coordinates of z in the columns of Q; a column is added when z has a part outside them.
  static Eigen::VectorXd project(Matrix& Q, const Eigen::VectorXd& z) {
    Eigen::VectorXd y = Q.transpose() * z;
    Eigen::VectorXd rest = z - Q * y;
    const Eigen::VectorXd again = Q.transpose() * rest;
    rest -= Q * again;
    y += again;
    const double norm = rest.norm();
    if (norm <= 1e-10 * z.norm()) return y;
    Q.conservativeResize(Eigen::NoChange, Q.cols() + 1);
    Q.col(Q.cols() - 1) = rest / norm;
    y.conservativeResize(y.size() + 1);
    y[y.size() - 1] = norm;
    return y;
  }

  void step(double delta, const Eigen::VectorXd& d) {
    const double beta = 1 / (t_ + 1);
    ++t_;
    const Eigen::VectorXd y = project(U_, std::sqrt(beta) * e_);
    const Eigen::VectorXd n = project(V_, std::sqrt(beta) * d);
    Matrix M = Matrix::Zero(y.size(), n.size());
    M.topLeftCorner(M_.rows(), M_.cols()) = (1 - beta) * M_;
    M_ = M + y * n.transpose();
    if (M_.size() == 0) return;  // d has always been zero so far
    const Eigen::BDCSVD<Matrix> svd(M_, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd& sigma = svd.singularValues();
    Eigen::VectorXd p = svd.matrixU().transpose() * (U_.transpose() * e_);
    for (Eigen::Index j = 0; j < p.size(); ++j) p[j] = sigma[j] > cutoff_ * sigma[0] ? p[j] / sigma[j] : 0.0;
    w_ += beta * delta * (V_ * (svd.matrixV() * p)) + eta * delta * e_;
    if (std::max(M_.rows(), M_.cols()) < 2 * rank_) return;
    Eigen::Index r = 0;
    while (r < std::min(rank_, sigma.size()) && sigma[r] > 1e-13 * sigma[0]) ++r;
    U_ = (U_ * svd.matrixU().leftCols(r)).eval();
    V_ = (V_ * svd.matrixV().leftCols(r)).eval();
    M_ = sigma.head(r).asDiagonal();
  }

  static constexpr double eta = 1e-3;

  Eigen::Index d_, rank_;
  double lambda_, cutoff_;
  double t_ = 0;
  double g_ = 0;
  Eigen::VectorXd w_, e_;
  Matrix U_, V_, M_;
};

}  // namespace bellwether::bench
