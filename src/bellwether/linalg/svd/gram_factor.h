#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

namespace bellwether {

/// Solves with M = N N^T + ridge I, k x k, for a k x d matrix N that grows by terms s d^T.
///
///   M' = M + y s^T + s y^T + |d|^2 s s^T,       y = N d
///
/// An inverse updated by Sherman-Morrison loses its digits when the ridge is small, and this update of a Cholesky
/// factor M = L L^T seems to need a subtraction, which loses them too. But L is the triangle of an LQ factorisation of
/// [N, sqrt(ridge) I], in whose rows d has the coordinates p = L^-1 y and a remainder of squared length
/// |d|^2 - |p|^2 >= 0. So
///
///   M' = K K^T,     K = [L + s p^T, sqrt(|d|^2 - |p|^2) s]
///
/// and rotations of columns make K a triangle again. Nothing is subtracted, so M' stays positive definite, and a
/// solution is exact for a matrix that differs from M by rounding. In directions that N does not reach, that rounding
/// would exceed a ridge that is much smaller than M; so the ridge is raised, rarely, to stay above 1e-13 of the trace
/// of M.
///
/// O(k^2) per term and per solution.
class GramFactor {
 public:
  GramFactor(std::size_t size, double ridge);

  /// N += s d^T, given y = N d with N from before, and dd = |d|^2.
  void add(const double* s, const double* y, double dd);

  /// q = M^-1 q
  void solve(double* q) const;

  /// The given ridge, or what it was raised to.
  double ridge() const { return ridge_; }

  static constexpr auto state() { return std::tuple{&GramFactor::ridge_, &GramFactor::trace_, &GramFactor::L_}; }

 private:
  double* column(std::size_t j) { return L_.data() + j * size_; }
  const double* column(std::size_t j) const { return L_.data() + j * size_; }
  void solve_lower(double* q) const;
  void add_square();
  void raise_ridge(double ridge);

  std::size_t size_;
  double ridge_;
  double trace_;           // of M
  std::vector<double> L_;  // by columns
  std::vector<double> p_;
  std::vector<double> u_;
};

}  // namespace bellwether
