#pragma once

#include <cmath>
#include <cstddef>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/krylov/equation_weights.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// Moves v towards the minimum of
///
///   F(v) = sum_i c_i (b - S v)_i^2 + kappa |v|^2
///
/// by conjugate gradients for (S^T C S + kappa I) v = S^T C b, preconditioned by the diagonal of that matrix:
///
///   r = b - S v;  g = S^T C r - kappa v;  z = M^-1 g;  p = z
///   q = S p;  alpha = g.z / (q.C q + kappa p.p);  v += alpha p;  r -= alpha q
///   g, z anew;  p = z + (g.z / its last value) p
///
/// F falls with every iteration, so a few from the last solution are never worse than none, whatever the matrix.
/// Nothing is allocated after construction.
class DampedLeastSquares {
 public:
  /// For at most `size` unknowns.
  explicit DampedLeastSquares(std::size_t size)
      : M_(size), c_(size), r_(size), g_(size), z_(size), p_(size), q_(size) {}

  /// Iterates up to `iterations` times, or until the gradient has fallen to `tolerance` of its first size. Returns how
  /// often. `equations` have size(), residual, product, transposed_product, curvature and noise(), the N_i with c_i = 1
  /// / N_i, as LoggedEquations has them.
  template <class Equations>
  std::size_t improve(const Equations& equations, double kappa, std::size_t iterations, double* v,
                      double tolerance = 1e-12) {
    const std::size_t n = equations.size();
    for (CappedVector<double>* each : {&M_, &c_, &r_, &g_, &z_, &p_, &q_}) each->resize(n);
    weigh_equations(equations.noise(), n, c_.data());
    equations.curvature(c_.data(), M_.data());
    equations.residual(v, r_.data());
    double gz = gradient(equations, kappa, v);
    const double first = gz;
    const double enough = tolerance * tolerance * gz;
    left_ = 1;
    for (std::size_t j = 0; j < n; ++j) p_[j] = z_[j];
    std::size_t made = 0;
    while (made < iterations && gz > enough) {
      equations.product(p_.data(), q_.data());
      double curvature = kappa * kernels::dot(p_.data(), p_.data(), n);
      for (std::size_t i = 0; i < n; ++i) curvature += c_[i] * q_[i] * q_[i];
      const double alpha = gz / curvature;
      if (!std::isfinite(alpha)) break;
      kernels::axpy(alpha, p_.data(), v, n);
      kernels::axpy(-alpha, q_.data(), r_.data(), n);
      if (++made == iterations) break;
      const double last = gz;
      gz = gradient(equations, kappa, v);
      left_ = std::sqrt(gz / first);
      kernels::scale_axpy(gz / last, 1.0, z_.data(), p_.data(), n);
    }
    return made;
  }

  /// What the last call left of the gradient, before its last iteration.
  double gradient_left() const { return left_; }

 private:
  /// g and z; returns g.z.
  template <class Equations>
  double gradient(const Equations& equations, double kappa, const double* v) {
    const std::size_t n = equations.size();
    for (std::size_t i = 0; i < n; ++i) q_[i] = c_[i] * r_[i];
    equations.transposed_product(q_.data(), g_.data());
    kernels::axpy(-kappa, v, g_.data(), n);
    for (std::size_t j = 0; j < n; ++j) z_[j] = g_[j] / (M_[j] + kappa);
    return kernels::dot(g_.data(), z_.data(), n);
  }

  CappedVector<double> M_, c_, r_, g_, z_, p_, q_;
  double left_ = 1;
};

}  // namespace bellwether
