#pragma once

#include <limits>

#include "support/dense_algebra.h"
#include "support/textbook_trace.h"

namespace bellwether::testing {

/// LSTD's equations S w = b with all that is summed beside them.
struct SumsReference {
  TextbookTrace trace;
  Eigen::MatrixXd S;
  Vector b, N;
  double squares = 0;  // sum of |x|^2
  double count = 0;

  SumsReference(TraceRule rule, Eigen::Index d)
      : trace(rule, d), S(Eigen::MatrixXd::Zero(d, d)), b(Vector::Zero(d)), N(b) {}

  void add(const RuleStep& s) {
    const Vector& e = trace.next(s);
    S += e * (s.x - s.gn * s.xn).transpose();
    b += s.r * e;
    N += e.cwiseAbs2();
    squares += s.x.squaredNorm();
    count += 1;
  }

  /// The minimum of sum_i (b - S w)_i^2 / N_i + kappa |w|^2. An equation of zeros does not count, and one that is known
  /// better than 1e6 times the mean only as much as that.
  Vector damped(double kappa) const {
    const double known = static_cast<double>((N.array() > 0).count());
    if (known == 0 || !(kappa > 0)) return Vector::Zero(b.size());
    const Vector c = (N.array() > 0).select(N.cwiseMax(1e-6 * N.sum() / known).cwiseInverse(), 0.0);
    Eigen::MatrixXd A = S.transpose() * c.asDiagonal() * S;
    A.diagonal().array() += kappa;
    return solve(A, S.transpose() * c.cwiseProduct(b));
  }
};

inline double condition(const Eigen::MatrixXd& A) { return A.norm() * inverse(A).norm(); }

}  // namespace bellwether::testing
