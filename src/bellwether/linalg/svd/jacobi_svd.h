#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bellwether {

/// The singular value decomposition of a small matrix M (a x b) by one-sided Jacobi rotations, from a guess.
///
///   B = L^T M         pairs of rows of B are rotated, and the columns of L with them, until they are orthogonal:
///   B = diag(sigma) R^T
///
/// Starts from the given L, so an M that has changed little costs little: if L is already right, two products. Small
/// singular values come out with the relative precision of their rows, not of the largest one. Rows below 1e-15 sqrt(a)
/// of the largest singular value are rounding and are left as they are. Allocates in the constructor only.
class JacobiSvd {
 public:
  explicit JacobiSvd(std::size_t capacity);

  /// M: a rows of b numbers, `stride` apart. L: a rows, the columns of L, `stride` apart too; L must be
  /// orthonormal.
  void compute(const double* M, std::size_t a, std::size_t b, const double* L, std::size_t stride);
  /// The same from the eigenvectors of M M^T, which lack the digits of small singular values only.
  void compute(const double* M, std::size_t a, std::size_t b, std::size_t stride);

  /// The a singular values in descending order.
  std::span<const double> values() const { return {sigma_.data(), a_}; }

  /// How many sweeps over all pairs of rows the last decomposition took.
  int sweeps() const { return sweeps_; }

  /// Column i of L, and sigma_i times column i of R.
  const double* left(std::size_t i) const { return L_.data() + order_[i] * stride_; }
  const double* scaled_right(std::size_t i) const { return B_.data() + order_[i] * stride_; }

 private:
  void start(const double* M, std::size_t a, std::size_t b, std::size_t stride);
  void rotate_until_orthogonal();
  bool sweep();

  std::size_t stride_;
  std::size_t a_ = 0, b_ = 0;
  int sweeps_ = 0;
  std::vector<double> L_, B_, gram_;
  std::vector<double> sigma_, work_;
  std::vector<std::uint32_t> order_;
};

}  // namespace bellwether
