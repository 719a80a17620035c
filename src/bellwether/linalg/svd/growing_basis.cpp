#include <bellwether/linalg/svd/growing_basis.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

#include <bellwether/core/support/rng.h>
#include <bellwether/linalg/dense/orthonormalise.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/matvec.h>

namespace bellwether {
namespace {

constexpr double least_residual = 1e-10;     // |p| / |v| below which p is rounding
constexpr double well_apart = 0.1;           // |p| / |v| above which v may be listed
constexpr double tolerated_drift = 2e-13;    // of U^T U from I
constexpr double drift_of_rotation = 5e-16;  // of one product
constexpr int probes = 2;                    // vectors by which the drift is measured
constexpr std::size_t rows_in_cache = 32;    // of the stored columns, while they are used twice

}  // namespace

GrowingBasis::GrowingBasis(std::size_t dim, std::size_t capacity)
    : dim_(dim),
      capacity_(capacity),
      stride_(padded(capacity)),
      most_entries_(std::min(dim, std::max<std::size_t>(16, dim / 2))),
      Q_(dim * stride_),
      other_(dim * stride_),
      column_(capacity),
      begin_(capacity + 1),
      indices_(capacity * std::min(dim, std::max<std::size_t>(16, dim / 8))),
      values_(indices_.size()),
      pivot_(capacity),
      above_(capacity * stride_),
      y_(stride_),
      p_(dim),
      work_(stride_),
      correction_(stride_),
      scatter_(dim) {}

void GrowingBasis::resolve(double a, const SparseView& x, double f, const double* extra) {
  resolve_any(a, x, f, extra);
}

void GrowingBasis::resolve(double a, const DenseView& x, double f, const double* extra) { resolve_any(a, x, f, extra); }

template <class X>
void GrowingBasis::resolve_any(double a, const X& x, double f, const double* extra) {
  stays_sparse_ = false;
  residual_ = 0;
  std::fill(y_.begin(), y_.end(), 0.0);
  locate(a, x, scatter_.data(), y_.data());
  if (size_ == dim_) return;
  if constexpr (std::is_same_v<X, SparseView>) {
    const double squares = a * a * kernels::squared_norm(x);
    const double rest = squares - kernels::dot(y_.data(), y_.data(), size_);
    if (extra == nullptr && x.size <= room_for_entries() && rest > well_apart * well_apart * squares) {
      list(a, x);
      residual_ = std::sqrt(rest);
      return;
    }
  }
  std::fill(p_.begin(), p_.end(), 0.0);
  kernels::axpy(a, x, p_.data());
  if (extra != nullptr) kernels::axpy(f, extra, p_.data(), dim_);
  form_residual();
}

/// p = v - U y, orthogonalised twice: p_ holds v and y_ its coordinates U^T v at first.
void GrowingBasis::form_residual() {
  const double whole = std::sqrt(kernels::dot(p_.data(), p_.data(), dim_));
  residual_ = whole;
  if (!(whole < 1e150)) return;  // the caller will find it too large
  const auto measure = [&] {
    residual_ = std::sqrt(kernels::dot(p_.data(), p_.data(), dim_));
    if (residual_ <= least_residual * whole) residual_ = 0;
  };
  std::copy(y_.begin(), y_.end(), work_.begin());
  subtract(work_.data(), p_.data(), correction_.data());
  measure();
  if (residual_ == 0) return;
  kernels::axpy(1.0, correction_.data(), y_.data(), size_);
  subtract(correction_.data(), p_.data());
  measure();
}

/// v -= U c, and then y = U^T v unless y is null, with one pass over the stored columns.
void GrowingBasis::subtract(double* c, double* v, double* y) const {
  to_columns(c);
  for (std::size_t l = 0; l < listed_; ++l) kernels::axpy(-c[column_[l]], entries(l), v);
  const std::size_t width = padded(stored_);
  std::fill(c + stored_, c + width, 0.0);
  if (y != nullptr) std::fill_n(y, stride_, 0.0);
  for (std::size_t j = 0; j < dim_; j += rows_in_cache) {
    const std::size_t rows = std::min(rows_in_cache, dim_ - j);
    const double* Q = Q_.data() + j * stride_;
    kernels::add_matvec(rows, width, Q, stride_, -1.0, c, v + j);
    if (y != nullptr) kernels::add_transposed_matvec(rows, width, Q, stride_, v + j, y);
  }
  if (y != nullptr) solve_listed(v, y);
}

void GrowingBasis::combine(double* c, double* out) const {
  kernels::scale(-1.0, c, size_);
  subtract(c, out);
}

void GrowingBasis::project(const double* v, double* y) const {
  std::fill_n(y, stride_, 0.0);
  kernels::add_transposed_matvec(dim_, padded(stored_), Q_.data(), stride_, v, y);
  solve_listed(v, y);
}

/// y = R^-T [Q, S]^T v, given Q^T v in y.
void GrowingBasis::solve_listed(const double* v, double* y) const {
  for (std::size_t l = 0; l < listed_; ++l) {
    const std::size_t column = column_[l];
    y[column] = (kernels::dot(entries(l), v) - kernels::dot(above(l), y, column)) / pivot_[l];
  }
}

/// c = R^-1 c: from coordinates in U to coefficients of the stored and listed columns.
void GrowingBasis::to_columns(double* c) const {
  for (std::size_t l = listed_; l-- > 0;) {
    const std::size_t column = column_[l];
    c[column] /= pivot_[l];
    kernels::axpy(-c[column], above(l), c, column);
  }
}

/// Writes the entries of a x behind those of the listed columns.
void GrowingBasis::list(double a, const SparseView& x) {
  stays_sparse_ = true;
  const std::size_t end = begin_[listed_];
  for (std::size_t k = 0; k < x.size; ++k) {
    indices_[end + k] = x.indices[k];
    values_[end + k] = a * x.values[k];
  }
  begin_[listed_ + 1] = end + x.size;
}

void GrowingBasis::extend() {
  assert(size_ < capacity_ && residual_ > 0);
  const std::size_t column = size_++;
  if (stays_sparse_) {
    std::copy_n(y_.data(), column, above_.data() + listed_ * stride_);
    pivot_[listed_] = residual_;
    column_[listed_++] = column;
    growth_ = std::max(growth_, std::sqrt(kernels::dot(y_.data(), y_.data(), column)) / residual_);
  } else {
    for (std::size_t j = 0; j < dim_; ++j) Q_[j * stride_ + column] = p_[j] / residual_;
    stored_ = size_;
  }
}

void GrowingBasis::rotate(double* W, std::size_t columns, std::size_t stride) {
  // [Q, S] R^-1 W, row operations on W first; then the rows of listed columns are the coefficients of S.
  for (std::size_t l = listed_; l-- > 0;) {
    double* own = W + column_[l] * stride;
    kernels::scale(1 / pivot_[l], own, columns);
    for (std::size_t i = 0; i < column_[l]; ++i) kernels::axpy(-above(l)[i], own, W + i * stride, columns);
  }
  kernels::set_product(dim_, columns, stored_, 1.0, {Q_.data(), stride_}, {W, stride}, other_.data(), stride_);
  for (std::size_t j = 0; j < dim_; ++j) {
    std::fill(other_.data() + j * stride_ + columns, other_.data() + (j + 1) * stride_, 0.0);
  }
  for (std::size_t l = 0; l < listed_; ++l) {
    const double* own = W + column_[l] * stride;
    entries(l).for_each(
        [&](std::size_t j, double value) { kernels::axpy(value, own, other_.data() + j * stride_, columns); });
  }
  std::swap(Q_, other_);
  size_ = stored_ = columns;
  listed_ = 0;
  drift_ = (drift_ + drift_of_rotation) * (1 + growth_);
  growth_ = 0;
  if (drift_ > tolerated_drift) {
    drift_ = measured_drift();
    if (!(drift_ <= tolerated_drift)) polish();
  }
}

/// The largest entry of (U^T U - I) s for a few vectors s of signs; all columns are stored. With independent signs, the
/// expected square of an entry is the sum of the squares of its row of U^T U - I.
double GrowingBasis::measured_drift() {
  Rng rng(size_, dim_, Purpose::learner);
  double largest = 0;
  std::vector<double>& s = y_;  // free until the next `resolve`
  for (int probe = 0; probe < probes; ++probe) {
    std::fill(s.begin(), s.end(), 0.0);
    for (std::size_t i = 0; i < size_; ++i) s[i] = rng.below(2) == 0 ? 1.0 : -1.0;
    std::fill(p_.begin(), p_.end(), 0.0);
    kernels::add_matvec(dim_, padded(size_), Q_.data(), stride_, 1.0, s.data(), p_.data());
    project(p_.data(), work_.data());
    for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(work_[i] - s[i]));
  }
  return largest;
}

double GrowingBasis::drift() const {
  Rng rng(size_, dim_, Purpose::learner);
  double largest = 0;
  std::vector<double> s(stride_), c(stride_), y(stride_), v(dim_);
  for (int probe = 0; probe < probes; ++probe) {
    for (std::size_t i = 0; i < size_; ++i) c[i] = s[i] = rng.below(2) == 0 ? 1.0 : -1.0;
    std::fill(v.begin(), v.end(), 0.0);
    combine(c.data(), v.data());
    project(v.data(), y.data());
    for (std::size_t i = 0; i < size_; ++i) {
      const double error = std::abs(y[i] - s[i]);
      if (!(error <= largest)) largest = error;  // also when it is NaN
    }
  }
  return largest;
}

/// Listed columns are in order, among the columns in use, and have no more entries than there is room for.
bool GrowingBasis::lists_are_consistent() const {
  for (std::size_t l = 0; l < listed_; ++l) {
    const bool in_order = column_[l] < size_ && (l == 0 || column_[l - 1] < column_[l]);
    const bool fits = begin_[l] <= begin_[l + 1] && begin_[l + 1] <= indices_.size();
    if (!in_order || !fits) return false;
  }
  return begin_[0] == 0;
}

void GrowingBasis::polish() {
  orthonormalise(dim_, size_, Q_.data(), other_.data(), stride_, above_.data());  // free while no column is listed
  std::swap(Q_, other_);
  drift_ = drift_of_rotation;
}

}  // namespace bellwether
