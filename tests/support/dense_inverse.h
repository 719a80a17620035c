#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/dense_algebra.h"

namespace bellwether::testing {

/// The definitions, with an inverse by Gauss's elimination with full pivoting after every sample, and how much of P and
/// w rounding may change.
struct DenseInverse {
  Eigen::MatrixXd S, P;
  Eigen::VectorXd e, w;
  std::uint64_t skipped = 0;
  std::vector<double> sizes;  // |P| after every sample
  double lost = 0;            // see `add`
  double w_lost = 0;

  DenseInverse(Eigen::Index dim, double p0)
      : S(Eigen::MatrixXd::Identity(dim, dim) / p0),
        P(Eigen::MatrixXd::Identity(dim, dim) * p0),
        e(Eigen::VectorXd::Zero(dim)),
        w(Eigen::VectorXd::Zero(dim)),
        sizes{P.norm()} {}

  /// The recursion does not forget errors: P is the inverse of S + E, and a sample adds |S|^2 times its own rounding to
  /// |E|, which is that of the numbers it subtracts and of c = 1 + d.P e. So an S that was nearly singular once costs
  /// digits for good. A block of samples starts from the P before its first one.
  void add(const Eigen::VectorXd& d, double c, double y, double b) {
    w += b * e;
    const double rounding = 1e-15 * static_cast<double>(S.rows() + 8);
    w_lost += rounding * std::abs(b) * e.norm();
    if (std::abs(c) < 1e-8) {
      ++skipped;
      return;
    }
    S += e * d.transpose();
    P = inverse_by_full_pivoting(S);
    sizes.push_back(P.norm());
    lost += rounding * S.squaredNorm() * largest() * (1 + d.norm() * largest() * e.norm() / std::abs(c));
    w += y * P * e;
    w_lost += std::abs(y) * e.norm() * (tolerance() + rounding * largest());
  }

  /// Of d.P e, where P comes from that before the block.
  double error_of_products(const Eigen::VectorXd& left, const Eigen::VectorXd& right) const {
    const double product = left.norm() * right.norm() * largest();
    return left.norm() * right.norm() * tolerance() + 1e-15 * product * (1 + product);
  }

  /// The largest |P| of late.
  double largest() const {
    const auto late = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(sizes.size()), 14);
    return *std::max_element(sizes.end() - late, sizes.end());
  }

  /// Of |P|.
  double tolerance() const { return lost * P.squaredNorm(); }
};

}  // namespace bellwether::testing
