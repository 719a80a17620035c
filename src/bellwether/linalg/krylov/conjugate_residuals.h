#pragma once

#include <array>
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
///   F(v) = sum_i c_i (b - (S + zeta I) v)_i^2 + kappa |v|^2
///
/// as DampedLeastSquares does, in other directions: residuals, not gradients (generalised conjugate residuals,
/// Eisenstat, Elman and Schultz 1983, doi:10.1137/0720023).
///
///   r = b - (S + zeta I) v;  p = P^-1 r;  q = (S + zeta I) p
///   p and q less their parts along the p before, by the product <p, p'> = q.C q' + kappa p.p'
///   alpha = (q.C r - kappa p.v) / <p, p>;  v += alpha p;  r -= alpha q
///
/// Gradients see S^T C S, whose condition is the square of S's: where importance ratios make that large, they hardly
/// move. Residuals see S itself. F falls with every iteration here too, whatever the matrix. P is a diagonal, about
/// the size of S's. After `most_directions` iterations it begins anew from where it is. Nothing is allocated after
/// construction, and memory for directions is taken when it is first used.
class ConjugateResiduals {
 public:
  static constexpr std::size_t most_directions = 8;

  /// For at most `size` unknowns.
  explicit ConjugateResiduals(std::size_t size)
      : c_(size), r_(size), scale_(size), p_(most_directions * size), q_(most_directions * size) {}

  /// Iterates up to `iterations` times, or until the residual is a millionth of the first or a
  /// direction has nothing new. Returns how often. `equations` are as
  /// DampedLeastSquares wants them, with diagonal(j) = S_jj.
  template <class Equations>
  std::size_t improve(const Equations& equations, double zeta, double kappa, std::size_t iterations, double* v) {
    begin(equations, zeta, kappa, iterations);
    go_on(equations, AllAtOnce{}, v);
    return made();
  }

  /// The same in parts, as DampedLeastSquares has it.
  template <class Equations>
  void begin(const Equations& equations, double zeta, double kappa, std::size_t iterations) {
    const std::size_t n = equations.size();
    for (CappedVector<double>* each : {&c_, &r_, &scale_}) each->resize(n);
    p_.resize(most_directions * n);
    q_.resize(most_directions * n);
    weigh_equations(equations.noise(), n, c_.data());
    // S_jj may be zero or negative; the square root of its noise then says how large it might be.
    for (std::size_t j = 0; j < n; ++j) {
      scale_[j] = 1 / (std::hypot(equations.diagonal(j), std::sqrt(equations.noise()[j])) + zeta + kappa);
    }
    zeta_ = zeta;
    kappa_ = kappa;
    iterations_ = iterations;
    made_ = 0;
    stage_ = Stage::residual;
  }
  template <class Equations, class Products>
  bool go_on(const Equations& equations, Products&& products, double* v) {
    const std::size_t n = r_.size();
    for (;;) {
      switch (stage_) {
        case Stage::residual:
          if (!products.residual(equations, v, r_.data())) return false;
          kernels::axpy(-zeta_, v, r_.data(), n);
          stage_ = next_direction();
          break;
        case Stage::product:
          if (!products.product(equations, direction(), product_of_direction())) return false;
          stage_ = step(v) ? next_direction() : Stage::done;
          break;
        case Stage::done: return true;
      }
    }
  }

  /// The number of unknowns since `begin`, and that of iterations.
  std::size_t size() const { return r_.size(); }
  std::size_t made() const { return made_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.c_, self.r_, self.scale_, self.p_, self.q_, self.squares_, self.zeta_, self.kappa_, self.iterations_,
          self.made_, self.first_, self.stage_);
    const std::size_t n = self.c_.size();
    visit.require(self.r_.size() == n && self.scale_.size() == n && self.p_.size() == most_directions * n &&
                  self.q_.size() == most_directions * n && self.stage_ <= Stage::done);
  }

 private:
  enum class Stage : std::uint8_t { residual, product, done };

  std::size_t slot() const { return made_ % most_directions; }
  double* direction() { return p_.data() + slot() * r_.size(); }
  double* product_of_direction() { return q_.data() + slot() * r_.size(); }

  Stage next_direction() {
    if (made_ >= iterations_) return Stage::done;
    double* p = direction();
    for (std::size_t j = 0; j < r_.size(); ++j) p[j] = scale_[j] * r_[j];
    return Stage::product;
  }

  /// Moves v along the new direction; false if that has nothing new.
  bool step(double* v) {
    const std::size_t n = r_.size();
    const std::size_t k = slot();
    double* p = direction();
    double* q = product_of_direction();
    kernels::axpy(zeta_, p, q, n);
    const double before = inner(p, q, p, q);
    if (made_ == 0) first_ = before;
    // What is left of the residual may be rounding, and no direction.
    if (!(before > 1e-12 * first_) || !std::isfinite(before)) return false;
    // Twice: what rounding leaves of the first time would otherwise grow.
    for (int time = 0; time < 2; ++time) {
      for (std::size_t i = 0; i < k; ++i) {
        const double share = -inner(&p_[i * n], &q_[i * n], p, q) / squares_[i];
        kernels::axpy(share, &p_[i * n], p, n);
        kernels::axpy(share, &q_[i * n], q, n);
      }
    }
    squares_[k] = inner(p, q, p, q);
    if (!(squares_[k] > 1e-6 * before)) return false;
    const double alpha = (weighted(q, r_.data(), n) - kappa_ * kernels::dot(p, v, n)) / squares_[k];
    if (!std::isfinite(alpha)) return false;
    kernels::axpy(alpha, p, v, n);
    kernels::axpy(-alpha, q, r_.data(), n);
    ++made_;
    return true;
  }

  double weighted(const double* a, const double* b, std::size_t n) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += c_[i] * a[i] * b[i];
    return sum;
  }
  double inner(const double* p, const double* q, const double* p2, const double* q2) const {
    return weighted(q, q2, c_.size()) + kappa_ * kernels::dot(p, p2, c_.size());
  }

  CappedVector<double> c_, r_, scale_;
  CappedVector<double> p_, q_;  // directions one after the other, and their products
  std::array<double, most_directions> squares_{};
  double zeta_ = 0, kappa_ = 0;
  std::uint64_t iterations_ = 0, made_ = 0;
  double first_ = 0;
  Stage stage_ = Stage::done;
};

}  // namespace bellwether
