#include <bellwether/linalg/svd/jacobi_svd.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <bellwether/linalg/dense/symmetric_eigen.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

constexpr int most_sweeps = 60;

}  // namespace

JacobiSvd::JacobiSvd(std::size_t capacity)
    : stride_(padded(capacity)),
      L_(capacity * stride_),
      B_(capacity * stride_),
      gram_(capacity * stride_),
      sigma_(capacity),
      work_(3 * capacity),
      order_(capacity) {}

void JacobiSvd::compute(const double* M, std::size_t a, std::size_t b, const double* L, std::size_t stride) {
  for (std::size_t i = 0; i < a; ++i) std::copy_n(L + i * stride, a, L_.data() + i * stride_);
  start(M, a, b, stride);
}

void JacobiSvd::compute(const double* M, std::size_t a, std::size_t b, std::size_t stride) {
  kernels::set_gram(a, b, 1.0, {M, stride}, gram_.data(), stride_);
  if (!symmetric_eigen(a, gram_.data(), stride_, sigma_.data(), work_.data())) {  // the squares are not finite
    std::fill_n(gram_.begin(), a * stride_, 0.0);
    for (std::size_t i = 0; i < a; ++i) gram_[i * stride_ + i] = 1;
  }
  std::swap(L_, gram_);
  start(M, a, b, stride);
}

/// B = L^T M, then rotates.
void JacobiSvd::start(const double* M, std::size_t a, std::size_t b, std::size_t stride) {
  assert(a <= sigma_.size() && b <= stride_);
  a_ = a;
  b_ = b;
  kernels::set_product(a, b, a, 1.0, {L_.data(), stride_}, {M, stride}, B_.data(), stride_);
  rotate_until_orthogonal();
}

void JacobiSvd::rotate_until_orthogonal() {
  std::iota(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(a_), 0U);
  sweeps_ = 1;
  while (sweep() && sweeps_ < most_sweeps) ++sweeps_;
  for (std::size_t i = 0; i < a_; ++i) {
    const double* row = scaled_right(i);
    sigma_[i] = std::sqrt(kernels::dot(row, row, b_));
  }
}

/// Rotates every pair of rows that is not orthogonal; false when there was none. The Gram matrix of the rows tells
/// which pairs: few near the end, when a sweep is little more than one matrix product.
bool JacobiSvd::sweep() {
  kernels::set_gram(a_, b_, 1.0, {B_.data(), stride_}, gram_.data(), stride_);
  const auto squares = [this](std::size_t i) -> double& { return gram_[i * stride_ + i]; };
  // In descending order of size, so that rotations between large and small rows stay small.
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(a_), [&](std::uint32_t i, std::uint32_t j) {
    return squares(i) != squares(j) ? squares(i) > squares(j) : i < j;
  });
  const double tolerance = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(b_));
  for (std::size_t i = 0; i < a_; ++i) sigma_[i] = std::sqrt(squares(i));
  // Rows this small are the rounding of others: they have no direction, and rotating them would never end.
  const double rounding = 1e-15 * std::sqrt(static_cast<double>(a_)) * sigma_[order_[0]];
  const auto orthogonal = [&](double product, std::size_t i, std::size_t j) {
    return !(std::abs(product) > tolerance * sigma_[i] * sigma_[j]);
  };
  bool turned = false;
  for (std::size_t p = 0; p + 1 < a_; ++p) {
    for (std::size_t q = p + 1; q < a_; ++q) {
      const std::size_t i = order_[p];
      const std::size_t j = order_[q];
      if (!(sigma_[j] > rounding)) continue;
      if (orthogonal(gram_[i * stride_ + j], i, j)) continue;
      double* bi = B_.data() + i * stride_;
      double* bj = B_.data() + j * stride_;
      const double product = kernels::dot(bi, bj, b_);
      if (orthogonal(product, i, j)) continue;
      turned = true;
      // b_i.b_j = 0 after the rotation by the angle with tan t: t^2 + 2 zeta t - 1 = 0, the smaller root
      const double zeta = (squares(j) - squares(i)) / (2 * product);
      const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
      const double c = 1 / std::sqrt(1 + t * t);
      kernels::rotate(c, -t * c, bi, bj, b_);
      kernels::rotate(c, -t * c, L_.data() + i * stride_, L_.data() + j * stride_, a_);
      sigma_[i] = std::sqrt(squares(i) -= t * product);
      sigma_[j] = std::sqrt(squares(j) += t * product);
    }
  }
  return turned;
}

}  // namespace bellwether
