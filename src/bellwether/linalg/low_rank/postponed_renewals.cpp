#include <bellwether/linalg/low_rank/postponed_renewals.h>

#include <algorithm>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// out = e z + sum_j x_j A_j, with n rows of n numbers; z may be null.
BELLWETHER_SIMD void multiply_row(std::size_t n, const double* x, const double* A, double e, const double* z,
                                  double* out) {
  for (std::size_t c = 0; c < n; c += Eight::width) {
    Eight sum{};
    if (z != nullptr) sum = e * Eight::load(z + c);
    for (std::size_t j = 0; j < n; ++j) sum += x[j] * Eight::load(A + j * n + c);
    sum.store(out + c);
  }
}

}  // namespace

PostponedRenewals::PostponedRenewals(std::size_t rows, std::size_t width)
    : width_(width),
      size_(2 * width * width + 2 * width + 2),
      stamps_(rows),
      slots_(rows == 0 ? 0 : most * size_),
      work_(rows == 0 ? 0 : std::max(width * width, 2 * width)) {}

void PostponedRenewals::all_take_part() {
  if (!enabled()) return;
  oldest_ = cycle_ = ++now_;
  next_ = end_ = 0;
  for (std::size_t r = 0; r < stamps_.size(); ++r) stamps_[r] = now_;
}

void PostponedRenewals::postpone(const Renewal& renewal) {
  const std::size_t n = width_;
  const std::size_t square = n * n;
  // A = A B, both n x n; rows of B beyond `columns` are zero.
  const auto follow = [&](double* A, std::size_t rows, const double* B) {
    std::fill_n(work_.data(), rows * n, 0.0);
    kernels::add_product(rows, n, renewal.columns, 1.0, {A, n}, {B, renewal.stride}, work_.data(), n);
    std::copy_n(work_.data(), rows * n, A);
  };
  for (std::uint64_t g = oldest_; g < now_; ++g) {
    double* Z = slot(g);
    double* Y = Z + square;
    double* z = Y + square;
    double* q = z + n;
    double& c = q[n];
    double& b = q[n + 1];
    for (std::size_t j = 0; j < n; ++j) q[j] += kernels::dot(Z + j * n, renewal.q, n);
    b += kernels::dot(z, renewal.q, n) + c * renewal.b;
    follow(Z, n, renewal.Z);
    follow(Y, n, renewal.Y);
    follow(z, 1, renewal.Z);
    kernels::axpy(c, renewal.z, z, renewal.z_columns);
    c *= renewal.c;
  }
  double* Z = slot(now_);
  std::fill_n(Z, size_, 0.0);
  for (std::size_t j = 0; j < renewal.columns; ++j) {
    std::copy_n(renewal.Z + j * renewal.stride, n, Z + j * n);
    std::copy_n(renewal.Y + j * renewal.stride, n, Z + square + j * n);
  }
  double* z = Z + 2 * square;
  std::copy_n(renewal.z, renewal.z_columns, z);
  std::copy_n(renewal.q, n, z + n);
  z[2 * n] = renewal.c;
  z[2 * n + 1] = renewal.b;
  ++now_;
}

double PostponedRenewals::step(std::size_t row, const double* u, double e) const {
  if (!stale(row)) return 0;
  const double* q = slot(stamps_[row]) + 2 * width_ * width_ + width_;
  return kernels::dot(u, q, width_) + e * q[width_ + 1];
}

double PostponedRenewals::product(std::size_t row, const double* u, double e, const double* q, double b) const {
  if (!stale(row)) return kernels::dot(u, q, width_) + b * e;
  const double* Z = slot(stamps_[row]);
  const double* z = Z + 2 * width_ * width_;
  double sum = e * (kernels::dot(z, q, width_) + b * z[2 * width_]);
  for (std::size_t j = 0; j < width_; ++j) sum += u[j] * kernels::dot(Z + j * width_, q, width_);
  return sum;
}

void PostponedRenewals::bring(std::size_t row, double* u, double* v, double& e) {
  if (!stale(row)) return;
  const double* Z = slot(stamps_[row]);
  const double* Y = Z + width_ * width_;
  const double* z = Y + width_ * width_;
  multiply_row(width_, u, Z, e, z, work_.data());
  multiply_row(width_, v, Y, 0, nullptr, work_.data() + width_);
  std::copy_n(work_.data(), width_, u);
  std::copy_n(work_.data() + width_, width_, v);
  e *= z[2 * width_];
  stamps_[row] = now_;
}

/// A round takes at most most/2 - 2 sweeps, so that two of them never miss more than `most`.
PostponedRenewals::Range PostponedRenewals::sweep() {
  if (next_ >= end_) {
    oldest_ = cycle_;
    cycle_ = now_;
    next_ = 0;
    end_ = stamps_.size();
  }
  const std::size_t first = next_;
  next_ = std::min(end_, first + end_ / (most / 2 - 4) + 1);
  return {first, next_};
}

}  // namespace bellwether
