#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/krylov/equation_weights.h>
#include <bellwether/linalg/krylov/products.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// Moves v towards the minimum of
///
///   F(v) = sum_i c_i (b - S v)_i^2 + kappa |v|^2
///
/// by conjugate gradients for (S^T C S + kappa I) v = S^T C b, preconditioned by the diagonal of that matrix:
///
///   r = b - S v;  g = S^T C r - kappa v;  z = M^-1 g;  p = z
///   q = S p;  alpha = g.p / (q.C q + kappa p.p);  v += alpha p;  r -= alpha q
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
    begin(equations, kappa, iterations, tolerance);
    go_on(equations, AllAtOnce{}, v);
    return made();
  }

  /// The same in parts: after `begin`, `go_on` is called until it returns true, with the same equations and v.
  template <class Equations>
  void begin(const Equations& equations, double kappa, std::size_t iterations, double tolerance = 1e-12) {
    const std::size_t n = equations.size();
    for (CappedVector<double>* each : {&M_, &c_, &r_, &g_, &z_, &p_, &q_}) each->resize(n);
    weigh_equations(equations.noise(), n, c_.data());
    equations.curvature(c_.data(), M_.data());
    kappa_ = kappa;
    tolerance_ = tolerance;
    iterations_ = iterations;
    made_ = 0;
    left_ = 1;
    stage_ = Stage::residual;
  }
  template <class Equations, class Products>
  bool go_on(const Equations& equations, Products&& products, double* v) {
    for (;;) {
      switch (stage_) {
        case Stage::residual:
          if (!products.residual(equations, v, r_.data())) return false;
          weigh_residual();
          stage_ = Stage::first_gradient;
          break;
        case Stage::first_gradient:
          if (!products.transposed_product(equations, q_.data(), g_.data())) return false;
          first_ = gz_ = finish_gradient(v);
          for (std::size_t j = 0; j < p_.size(); ++j) p_[j] = z_[j];
          stage_ = is_enough() ? Stage::done : Stage::product;
          break;
        case Stage::product:
          if (!products.product(equations, p_.data(), q_.data())) return false;
          stage_ = step(v) && made_ < iterations_ ? Stage::gradient : Stage::done;
          break;
        case Stage::gradient: {
          if (!products.transposed_product(equations, q_.data(), g_.data())) return false;
          const double last = gz_;
          gz_ = finish_gradient(v);
          left_ = std::sqrt(gz_ / first_);
          kernels::scale_axpy(gz_ / last, 1.0, z_.data(), p_.data(), p_.size());
          stage_ = is_enough() ? Stage::done : Stage::product;
          break;
        }
        case Stage::done: return true;
      }
    }
  }

  /// The number of unknowns since `begin`, and that of iterations.
  std::size_t size() const { return r_.size(); }
  std::size_t made() const { return made_; }

  /// What the last call left of the gradient, before its last iteration.
  double gradient_left() const { return left_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.M_, self.c_, self.r_, self.g_, self.z_, self.p_, self.q_, self.kappa_, self.tolerance_, self.iterations_,
          self.made_, self.gz_, self.first_, self.left_, self.stage_);
    for (const auto* each : {&self.c_, &self.r_, &self.g_, &self.z_, &self.p_, &self.q_}) {
      visit.require(each->size() == self.M_.size());
    }
    visit.require(self.stage_ <= Stage::done);
  }

 private:
  enum class Stage : std::uint8_t { residual, first_gradient, product, gradient, done };

  bool is_enough() const { return made_ >= iterations_ || !(gz_ > tolerance_ * tolerance_ * first_); }

  /// q = C r, whose product with S^T is the gradient's first part.
  void weigh_residual() {
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = c_[i] * r_[i];
  }
  /// g and z; returns g.z.
  double finish_gradient(const double* v) {
    const std::size_t n = g_.size();
    kernels::axpy(-kappa_, v, g_.data(), n);
    for (std::size_t j = 0; j < n; ++j) z_[j] = g_[j] / (M_[j] + kappa_);
    return kernels::dot(g_.data(), z_.data(), n);
  }
  /// Moves v along p to the minimum there; false if F does not fall along p but for rounding.
  bool step(double* v) {
    const std::size_t n = p_.size();
    double curvature = kappa_ * kernels::dot(p_.data(), p_.data(), n);
    for (std::size_t i = 0; i < n; ++i) curvature += c_[i] * q_[i] * q_[i];
    // g.p is g.z while directions are conjugate. Where rounding has ended that, g.z might be far too long a step.
    const double alpha = kernels::dot(g_.data(), p_.data(), n) / curvature;
    if (!(alpha > 0) || !std::isfinite(alpha)) return false;
    kernels::axpy(alpha, p_.data(), v, n);
    kernels::axpy(-alpha, q_.data(), r_.data(), n);
    weigh_residual();
    ++made_;
    return true;
  }

  CappedVector<double> M_, c_, r_, g_, z_, p_, q_;
  double kappa_ = 0, tolerance_ = 0;
  std::uint64_t iterations_ = 0, made_ = 0;
  double gz_ = 0, first_ = 0;  // g.z now and at first
  double left_ = 1;
  Stage stage_ = Stage::done;
};

}  // namespace bellwether
