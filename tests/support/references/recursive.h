#pragma once

#include <limits>

#include "support/dense_inverse.h"
#include "support/textbook_trace.h"

namespace bellwether::testing {

/// w += alpha0 delta A^-1 e + eta delta e with A = I/p0 + sum e d^T, this step included: with alpha0 = 1 and eta = 0
/// the solution of LSTD's equations. A step that would make A singular is left out, but for the part with eta.
struct RecursiveReference {
  TextbookTrace trace;
  DenseInverse inverse;
  double alpha0, eta;
  double lost = 0;
  bool uncertain = false;

  RecursiveReference(Eigen::Index d, double p0, TraceRule rule, double alpha, double plain)
      : trace(rule, d), inverse(d, p0), alpha0(alpha), eta(plain) {}

  void operator()(const RuleStep& s, Vector& w) {
    const Vector d = s.x - s.gn * s.xn;
    const double delta = s.delta(w);
    inverse.e = trace.next(s);
    const double c = 1 + d.dot(inverse.P * inverse.e);
    // Next to the limit, rounding decides whether the step counts.
    uncertain = uncertain || std::abs(c) < 1e-6 + inverse.error_of_products(inverse.e, d);
    inverse.w = w;
    inverse.add(d, c, alpha0 * delta, eta * delta);
    w = inverse.w;
    lost = uncertain ? std::numeric_limits<double>::infinity() : inverse.w_lost;
  }
};

}  // namespace bellwether::testing
