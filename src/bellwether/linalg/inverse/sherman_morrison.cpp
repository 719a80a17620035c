#include <bellwether/linalg/inverse/sherman_morrison.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <bellwether/linalg/inverse/inverse_sum.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/matvec.h>

namespace bellwether {
namespace {

constexpr double singular = 1e-8;  // of a pivot
constexpr std::size_t band = 96;   // rows of P that stay in cache from being read to being written

/// An update beyond these limits counts as divergence: what is computed from numbers below them is finite.
constexpr double vector_limit = 1e50;
constexpr double inverse_limit = 1e100;

/// The largest |value|; infinite when one is beyond the limit or NaN.
double max_size(const double* values, std::size_t count) {
  double most = 0;
  bool within = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = std::abs(values[i]);
    within &= size <= inverse_limit;
    most = most < size ? size : most;
  }
  return within ? most : std::numeric_limits<double>::infinity();
}

}  // namespace

std::size_t ShermanMorrison::default_block(std::size_t dim) {
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(dim)));
}

ShermanMorrison::ShermanMorrison(std::size_t dim, double p0, std::size_t block)
    : dim_(dim),
      row_(padded(dim)),
      p0_(p0),
      row_of_(dim, unseen),
      a_{std::vector<std::uint32_t>(dim), std::vector<double>(dim)},
      d_(a_),
      capacity_(block),
      traces_(dim, block),
      block_(block),
      P_(dim * row_, 0.0),
      Q_(block * row_),
      W_(block * row_),
      U_(dim * block),
      N_(block * block),
      qe_(block),
      next_qe_(block),
      y_(block),
      z_(block),
      h_(block),
      v_(dim, 0.0),
      start_(dim, 0.0) {
  for (std::size_t j = 0; j < dim; ++j) P_[j * row_ + j] = p0;
}

std::uint32_t ShermanMorrison::row_for(std::size_t j) {
  if (row_of_[j] == unseen) {
    v_[seen_] = start_[j];
    in_order_ = in_order_ && j == seen_;
    row_of_[j] = static_cast<std::uint32_t>(seen_++);
  }
  return row_of_[j];
}

SparseView ShermanMorrison::in_rows(const SparseView& x, InRows& room) {
  for (std::size_t k = 0; k < x.size; ++k) room.rows[k] = row_for(x.indices[k]);
  return {room.rows.data(), x.values, x.size};
}

DenseView ShermanMorrison::in_rows(const DenseView& x, InRows& room) {
  if (seen_ == dim_ && in_order_) return x;
  for (std::size_t j = 0; j < x.size; ++j) room.values[row_for(j)] = x.values[j];
  return {room.values.data(), x.size};
}

/// Rows and columns are used in multiples of eight, for which loops are fast; a row without a feature is that of p0 I,
/// and its weight is not used.
void ShermanMorrison::use_rows() {
  if (n_ >= seen_) return;
  n_ = std::min(padded(seen_), dim_);
  traces_.use_length(n_);
}

template <class V>
bool ShermanMorrison::sample(double f, const V& a, const V& d) {
  if (!traces_.fits(a)) apply();
  if (block_.size() == capacity_ || !traces_.fits(a)) return false;  // a block that could not be applied
  const V a_rows = in_rows(a, a_);
  const V d_rows = in_rows(d, d_);
  use_rows();
  return traces_.propose(f, a_rows) && multiply(d_rows) && eliminate();
}

template bool ShermanMorrison::sample(double, const DenseView&, const DenseView&);
template bool ShermanMorrison::sample(double, const SparseView&, const SparseView&);

/// q_i = P^T d, and d.v, the part of d.w that is known before the elimination. A dense sample reads P once, for its
/// column u_i = P e of U as well.
bool ShermanMorrison::multiply(const DenseView& d) {
  const std::size_t i = block_.size();
  kernels::multiply_both_sides(dim_, P_.data(), row_, d.values, traces_.dense_trace(i), q(i), U_.data() + i, capacity_);
  prediction_ = kernels::dot(d, v_.data());
  double size = 0;
  for (std::size_t j = 0; j < dim_; ++j) size += std::abs(d.values[j]);
  return size <= vector_limit;
}

bool ShermanMorrison::multiply(const SparseView& d) {
  const std::size_t i = block_.size();
  double size = 0;
  std::fill_n(q(i), dim_, 0.0);
  for (std::size_t k = 0; k < d.size; ++k) size += std::abs(d.values[k]);
  kernels::add_rows(1, d, P_.data(), row_, q(i), n_);
  prediction_ = kernels::dot(d, v_.data());
  return size <= vector_limit;
}

/// T_ji = q_j.e_i and T_ij = q_i.e_j, a new row and column of the block.
bool ShermanMorrison::eliminate() {
  const std::size_t i = block_.size();
  std::copy_n(qe_.data(), i, next_qe_.data());
  traces_.continue_products(Q_.data(), row_, next_qe_.data());
  std::copy_n(next_qe_.data(), i, block_.column());
  traces_.products(q(i), i + 1, block_.row());
  next_qe_[i] = block_.row()[i];
  pivot_ = block_.append();
  prediction_ += kernels::dot(block_.lower(), y_.data(), i);  // + sum_j y_j d.g_j
  return std::abs(pivot_) <= vector_limit;
}

bool ShermanMorrison::take(double y, double b) {
  const std::size_t i = block_.size();
  const bool skip = std::abs(pivot_) < singular;
  // z = R^-1 y: R has a new column (s, c), so its inverse has the column (-R^-1 s, 1) / c.
  double last = 0;
  if (!skip) {
    last = y / pivot_;
    std::copy_n(block_.column(), i, h_.data());
    block_.solve_upper(h_.data());
    double most = std::abs(last);
    for (std::size_t p = 0; p < i; ++p) {
      h_[p] = z_[p] - last * h_[p];
      most += std::abs(h_[p]);
    }
    if (!(most <= vector_limit)) return false;
  }
  if (!(std::abs(y) <= vector_limit && std::abs(b) <= vector_limit)) return false;

  traces_.accept();
  qe_.swap(next_qe_);
  if (skip) {
    ++skipped_;
    block_.neutralise();
    std::fill_n(q(i), dim_, 0.0);
    qe_[i] = 0;
    y_[i] = z_[i] = 0;
  } else {
    block_.accept();
    y_[i] = y;
    z_.swap(h_);
    z_[i] = last;
  }
  if (b != 0) kernels::axpy(b, traces_.trace(), v_.data(), n_);
  if (block_.size() == capacity_) apply();
  return true;
}

/// P -= U (I + T)^-1 Q and v += U z. When P would leave the range of finite numbers, only v is updated and the block
/// stays full: no more samples are accepted.
void ShermanMorrison::apply() {
  const std::size_t m = block_.size();
  // N^T = (I + T)^-1 = R^-1 L^-1, then W = (I + T)^-1 Q
  std::fill(N_.begin(), N_.end(), 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    double* column = N_.data() + i * capacity_;
    column[i] = 1;
    block_.solve_lower(column);
    block_.solve_upper(column);
  }
  for (std::size_t i = 0; i < m; ++i) std::fill_n(W_.data() + i * row_, n_, 0.0);
  kernels::add_product(m, n_, m, 1.0, {N_.data(), 1, capacity_}, {Q_.data(), row_}, W_.data(), row_);
  double largest = 0;
  for (std::size_t i = 0; i < m; ++i) largest = std::max(largest, max_size(W_.data() + i * row_, n_));

  bool finite = true;
  for (std::size_t j0 = 0; j0 < n_; j0 += band) {
    const std::size_t rows = std::min(band, n_ - j0);
    double* U = U_.data() + j0 * capacity_;
    if (!traces_.dense()) traces_.products_of_rows(p(j0), row_, rows, m, U, capacity_);
    for (std::size_t j = 0; j < rows; ++j) {
      v_[j0 + j] += kernels::dot(U + j * capacity_, z_.data(), m);
    }
    finite = finite && max_size(U, rows * capacity_) * largest <= inverse_limit;
    if (finite) kernels::add_product(rows, n_, m, -1.0, {U, capacity_}, {W_.data(), row_}, P_.data() + j0 * row_, row_);
  }
  std::fill(z_.begin(), z_.end(), 0.0);
  if (!finite) return;
  block_.clear();
  traces_.clear();
}

/// E z while U is not formed yet: U z = P E z.
std::vector<double> ShermanMorrison::unread_trace() const {
  std::vector<double> sum;
  if (block_.size() == 0 || traces_.dense()) return sum;
  sum.resize(n_);
  traces_.combine(z_.data(), sum.data());
  return sum;
}

/// w_j = v_j + (U z)_j
double ShermanMorrison::at(std::size_t j, const std::vector<double>& unread) const {
  const std::size_t row = row_of_[j];
  if (row == unseen) return start_[j];
  if (block_.size() == 0) return v_[row];
  if (traces_.dense()) return v_[row] + kernels::dot(U_.data() + row * capacity_, z_.data(), block_.size());
  return v_[row] + kernels::dot(p(row), unread.data(), n_);
}

template <class X>
double ShermanMorrison::dot_view(const X& x) const {
  const std::vector<double> unread = unread_trace();
  double sum = 0;
  x.for_each([&](std::size_t j, double value) { sum += value * at(j, unread); });
  return sum;
}

double ShermanMorrison::dot(const DenseView& x) const { return dot_view(x); }
double ShermanMorrison::dot(const SparseView& x) const { return dot_view(x); }
double ShermanMorrison::dot(const BinaryView& x) const { return dot_view(x); }

void ShermanMorrison::read(std::span<double> w) const {
  const std::vector<double> unread = unread_trace();
  for (std::size_t j = 0; j < dim_; ++j) w[j] = at(j, unread);
}

bool ShermanMorrison::merge(const ShermanMorrison& other) {
  ShermanMorrison sum(*this);
  ShermanMorrison part(other);
  for (ShermanMorrison* each : {&sum, &part}) {
    if (each->block_.size() > 0) each->apply();
    if (each->block_.size() > 0) return false;  // a block that could not be applied
  }
  std::vector<std::uint32_t> row(part.seen_);  // in `sum`, of the rows of `part`
  std::vector<std::size_t> features(part.seen_);
  for (std::size_t j = 0; j < dim_; ++j) {
    if (part.row_of_[j] != unseen) features[part.row_of_[j]] = j;
  }
  for (std::size_t i = 0; i < part.seen_; ++i) row[i] = sum.row_for(features[i]);
  sum.use_rows();

  const std::size_t n = sum.seen_;
  std::vector<double> start(n);
  for (std::size_t j = 0; j < dim_; ++j) {
    if (sum.row_of_[j] != unseen) start[sum.row_of_[j]] = start_[j];
  }
  std::vector<double> P(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) P[i * n + i] = p0_;
  std::vector<double> u(n, 0.0);
  for (std::size_t i = 0; i < part.seen_; ++i) {
    for (std::size_t j = 0; j < part.seen_; ++j) P[row[i] * n + row[j]] = part.p(i)[j];
    u[row[i]] = part.v_[i] - start[row[i]];
  }
  kernels::axpy(-1.0, start.data(), sum.v_.data(), n);
  if (!add_inverse(n, p0_, sum.P_.data(), row_, sum.v_.data(), P.data(), u.data())) return false;
  kernels::axpy(1.0, start.data(), sum.v_.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(max_size(sum.p(i), n) <= inverse_limit && std::abs(sum.v_[i]) <= vector_limit)) return false;
  }
  sum.traces_.continue_from(part.traces_, row);
  sum.skipped_ += part.skipped_;
  *this = std::move(sum);
  return true;
}

std::vector<double> ShermanMorrison::inverse() const {
  ShermanMorrison whole(*this);
  if (block_.size() > 0) whole.apply();
  std::vector<double> P(dim_ * dim_, 0.0);
  for (std::size_t i = 0; i < dim_; ++i) {
    P[i * dim_ + i] = p0_;
    for (std::size_t j = 0; row_of_[i] != unseen && j < dim_; ++j) {
      if (row_of_[j] != unseen) P[i * dim_ + j] = whole.p(row_of_[i])[row_of_[j]];
    }
  }
  return P;
}

}  // namespace bellwether
