#include <bellwether/linalg/svd/gram_factor.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

/// Rotates columns a and b so that x and y, which stand side by side in one row of them, become |(x, y)| and 0. Returns
/// that length.
double rotate_away(double x, double y, double* a, double* b, std::size_t n) {
  const double length = std::sqrt(x * x + y * y);
  if (length == 0) return 0;
  kernels::rotate(x / length, y / length, a, b, n);
  return length;
}

}  // namespace

GramFactor::GramFactor(std::size_t size, double ridge)
    : size_(size), ridge_(ridge), trace_(static_cast<double>(size) * ridge), L_(size * size, 0.0), p_(size), u_(size) {
  for (std::size_t j = 0; j < size; ++j) column(j)[j] = std::sqrt(ridge);
}

void GramFactor::add(const double* s, const double* y, double dd) {
  if (size_ == 0 || dd == 0) return;
  std::copy_n(y, size_, p_.begin());
  solve_lower(p_.data());
  const double rest = std::sqrt(std::max(0.0, dd - kernels::dot(p_.data(), p_.data(), size_)));

  // From the last column to the first, p becomes (|p|, 0, ..., 0), and columns get one entry above the diagonal. So
  // s p^T changes only the first column.
  for (std::size_t j = size_ - 1; j > 0; --j) {
    if (p_[j] == 0) continue;
    p_[j - 1] = rotate_away(p_[j - 1], p_[j], column(j - 1) + j - 1, column(j) + j - 1, size_ - j + 1);
  }
  kernels::axpy(p_[0], s, column(0), size_);
  // From the first column to the last, those entries are rotated away.
  for (std::size_t j = 0; j + 1 < size_; ++j) {
    double* next = column(j + 1);
    if (next[j] == 0) continue;
    rotate_away(column(j)[j], next[j], column(j) + j, next + j, size_ - j);
    next[j] = 0;
  }
  for (std::size_t i = 0; i < size_; ++i) u_[i] = rest * s[i];
  add_square();

  trace_ += 2 * kernels::dot(y, s, size_) + dd * kernels::dot(s, s, size_);
  if (ridge_ < 1e-13 * trace_) raise_ridge(4e-13 * trace_);
}

/// M += u u^T; overwrites u.
void GramFactor::add_square() {
  for (std::size_t j = 0; j < size_; ++j) {
    if (u_[j] != 0) rotate_away(column(j)[j], u_[j], column(j) + j, u_.data() + j, size_ - j);
  }
}

void GramFactor::raise_ridge(double ridge) {
  for (std::size_t j = 0; j < size_; ++j) {
    std::fill(u_.begin(), u_.end(), 0.0);
    u_[j] = std::sqrt(ridge - ridge_);
    add_square();
  }
  ridge_ = ridge;
}

void GramFactor::solve_lower(double* q) const {
  for (std::size_t j = 0; j < size_; ++j) {
    q[j] = column(j)[j] == 0 ? 0 : q[j] / column(j)[j];
    kernels::axpy(-q[j], column(j) + j + 1, q + j + 1, size_ - j - 1);
  }
}

void GramFactor::solve(double* q) const {
  solve_lower(q);
  for (std::size_t j = size_; j-- > 0;) {
    const double below = kernels::dot(column(j) + j + 1, q + j + 1, size_ - j - 1);
    q[j] = column(j)[j] == 0 ? 0 : (q[j] - below) / column(j)[j];
  }
}

}  // namespace bellwether
