#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/dense/small_dense.h>
#include <bellwether/linalg/dense/symmetric_eigen.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

constexpr std::size_t tile_rows = 32;

/// out += sum_r v_r s_r rows_r, with n numbers a row; s may be null, which stands for ones.
BELLWETHER_SIMD void combine_rows(std::size_t rows, const double* __restrict v, const double* __restrict s,
                                  const double* __restrict from, std::size_t stride, std::size_t n,
                                  double* __restrict out) {
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = s == nullptr ? v[r] : v[r] * s[r];
    if (a == 0) continue;
    for (std::size_t j = 0; j < n; ++j) out[j] += a * from[r * stride + j];
  }
}

/// a.b for n a multiple of 4, in the same order whatever the instruction set.
BELLWETHER_INLINE double short_dot(const double* a, const double* b, std::size_t n) {
  double part[4] = {};
  for (std::size_t j = 0; j < n; j += 4) {
    for (std::size_t i = 0; i < 4; ++i) part[i] += a[j + i] * b[j + i];
  }
  return (part[0] + part[2]) + (part[1] + part[3]);
}

/// out_r = s_r (v_r + sign rows_r.q)
BELLWETHER_SIMD void spread_rows(std::size_t rows, const double* __restrict v, const double* __restrict s, double sign,
                                 const double* __restrict from, std::size_t stride, std::size_t n,
                                 const double* __restrict q, double* __restrict out) {
  for (std::size_t r = 0; r < rows; ++r) out[r] = s[r] * (v[r] + sign * short_dot(from + r * stride, q, n));
}

/// v_r += rows_r.q
BELLWETHER_SIMD void add_products(std::size_t rows, const double* __restrict from, std::size_t stride, std::size_t n,
                                  const double* __restrict q, double* __restrict v) {
  for (std::size_t r = 0; r < rows; ++r) v[r] += short_dot(from + r * stride, q, n);
}

/// v_r -= s_r rows_r.q
BELLWETHER_SIMD void subtract_weighted(std::size_t rows, const double* __restrict s, const double* __restrict from,
                                       std::size_t stride, std::size_t n, const double* __restrict q,
                                       double* __restrict v) {
  for (std::size_t r = 0; r < rows; ++r) v[r] -= s[r] * short_dot(from + r * stride, q, n);
}

/// d_r -= u_r.v_r
BELLWETHER_SIMD void subtract_row_products(std::size_t rows, const double* __restrict u, const double* __restrict v,
                                           std::size_t stride, std::size_t n, double* __restrict d) {
  for (std::size_t r = 0; r < rows; ++r) d[r] -= short_dot(u + r * stride, v + r * stride, n);
}

/// d_r += u_r.v_r
BELLWETHER_SIMD void add_row_products(std::size_t rows, const double* __restrict u, const double* __restrict v,
                                      std::size_t stride, std::size_t n, double* __restrict d) {
  for (std::size_t r = 0; r < rows; ++r) d[r] += short_dot(u + r * stride, v + r * stride, n);
}

}  // namespace

DiagonalPlusLowRank::DiagonalPlusLowRank(const Shape& shape, bool compensate, bool exact)
    : shape_{shape.dim, std::min(shape.rank, shape.dim), shape.block},
      compensate_(compensate),
      exact_(exact),
      limit_(shape_.rank),
      width_(padded(shape_.rank)),
      uv_(shape.dim * 2 * width_),
      extra_(shape.dim),
      inverse_(shape.dim),
      H_(width_ * width_),
      VV_(width_ * width_),
      products_(2 * width_ * width_),
      space_(shape_.rank + shape.block, shape_.rank),
      GL_((shape_.rank + shape.block) * (shape_.rank + shape.block)),
      GR_(GL_.size()),
      left_(tile_rows * std::max(space_.stride(), 2 * width_)),
      right_(left_.size()),
      diagonal_(tile_rows),
      order_(shape_.rank) {}

void DiagonalPlusLowRank::start(double zeta) {
  zeta_ = zeta;
  for (std::size_t r = 0; r < rows(); ++r) inverse_[r] = 1 / zeta;
}

void DiagonalPlusLowRank::add_row() {
  uv_.resize(uv_.size() + 2 * width_);
  extra_.push_back(0.0);
  inverse_.push_back(zeta_ == 0 ? 0.0 : 1 / zeta_);
}

double DiagonalPlusLowRank::diagonal(std::size_t row) const {
  const double* u = uv_.data() + row * uv_stride();
  return std::max(0.0, extra_[row] + short_dot(u, u + width_, padded_rank()));
}

double DiagonalPlusLowRank::dropped() const { return std::sqrt(dropped_); }

double DiagonalPlusLowRank::longest() const {
  double square = 0;
  for (std::size_t i = 0; i < rank_; ++i) square = std::max(square, VV_[i * width_ + i]);
  return std::sqrt(square);
}

std::vector<double> DiagonalPlusLowRank::singular_values() const {
  std::vector<double> VV = VV_;
  std::vector<double> values(rank_);
  std::vector<double> work(3 * rank_);
  symmetric_eigen(rank_, VV.data(), width_, values.data(), work.data());
  for (double& v : values) v = std::sqrt(std::max(0.0, v));
  return values;
}

void DiagonalPlusLowRank::solve(const double* v, double* out, double* small) const {
  double* q = small;
  double* t = small + width_;
  std::fill(small, small + 2 * width_, 0.0);
  combine_rows(rows(), v, inverse_.data(), uv_.data() + width_, uv_stride(), padded_rank(), t);
  combine_rows(rank_, t, nullptr, H_.data(), width_, padded_rank(), q);
  spread_rows(rows(), v, inverse_.data(), -1.0, uv_.data(), uv_stride(), padded_rank(), q, out);
}

void DiagonalPlusLowRank::subtract_left(std::size_t first, std::size_t rows, const double* q, std::size_t n,
                                        double* v) const {
  subtract_weighted(rows, inverse_.data() + first, uv_.data() + first * uv_stride(), uv_stride(), n, q, v + first);
}

void DiagonalPlusLowRank::multiply(const double* v, double* out, double* small) const {
  double* t = small;
  std::fill(t, t + width_, 0.0);
  combine_rows(rows(), v, nullptr, uv_.data() + width_, uv_stride(), padded_rank(), t);
  for (std::size_t r = 0; r < rows(); ++r) out[r] = extra_[r] * v[r];
  add_products(rows(), uv_.data(), uv_stride(), padded_rank(), t, out);
}

void DiagonalPlusLowRank::absorb(GatheredSamples& samples, double zeta, RowPass* pass) {
  const bool any = samples.count() > 0 && rows() > 0;
  const bool truncates = any && limit_ < rows();
  const std::size_t old_rank = rank_;
  if (truncates) {
    find_space(samples);
  } else {
    if (pass != nullptr) pass->before(0, rows());
    if (any) absorb_everything(samples);
  }
  zeta_ = zeta;
  std::fill(products_.begin(), products_.end(), 0.0);
  for (std::size_t first = 0; first < rows(); first += tile_rows) {
    const std::size_t count = std::min(tile_rows, rows() - first);
    if (truncates) {
      if (pass != nullptr) pass->before(first, count);
      truncate_tile(samples, old_rank, first, count);
    }
    sum_tile(first, count);
    if (pass != nullptr) pass->after(first, count);
  }
  invert_small();
}

/// With as many columns as rows, U is the identity and V = S^T.
void DiagonalPlusLowRank::absorb_everything(GatheredSamples& samples) {
  const std::size_t n = rows();
  const std::size_t m = samples.count();
  const std::size_t stride = shape_.rank + shape_.block;
  // V' = V U^T + Delta E^T: E is asked for as E I, its transpose then multiplies Delta.
  double* identity = GL_.data();
  double* E = GR_.data();
  std::fill(GL_.begin(), GL_.end(), 0.0);
  for (std::size_t i = 0; i < m; ++i) identity[i * stride + i] = 1;
  samples.prepare(identity, nullptr, stride, m);
  for (std::size_t r = 0; r < n; ++r) {
    std::fill_n(E + r * stride, m, 0.0);
    samples.add(r, 1, E + r * stride, nullptr, stride);
  }
  double* E_transposed = GL_.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t r = 0; r < n; ++r) E_transposed[i * stride + r] = E[r * stride + i];
  }
  samples.prepare(nullptr, E_transposed, stride, n);
  double* V = GR_.data();
  for (std::size_t r = 0; r < n; ++r) {
    std::fill_n(V + r * stride, n, 0.0);
    kernels::add_product(1, n, rank_, 1.0, {uv_.data() + r * uv_stride() + width_, 0}, {uv_.data(), 1, uv_stride()},
                         V + r * stride, stride);
    samples.add(r, 1, nullptr, V + r * stride, stride);
  }
  rank_ = n;
  dropped_ = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double* row = uv_.data() + r * uv_stride();
    std::fill_n(row, 2 * width_, 0.0);
    row[r] = 1;
    std::copy_n(V + r * stride, n, row + width_);
  }
  std::fill(VV_.begin(), VV_.end(), 0.0);
  kernels::add_product(n, n, n, 1.0, {V, 1, stride}, {V, stride}, VV_.data(), width_);
}

/// Z and Y, by which [U E] and [V Delta] are multiplied to give the new U and V, and the new rank.
void DiagonalPlusLowRank::find_space(GatheredSamples& samples) {
  const std::size_t m = samples.count();
  const std::size_t n = rank_ + m;
  const auto p = samples.products();
  // [U E]^T [U E] and [V Delta]^T [V Delta]
  for (std::size_t i = 0; i < rank_; ++i) {
    std::fill_n(GL_.data() + i * n, rank_, 0.0);
    GL_[i * n + i] = 1;
    std::copy_n(VV_.data() + i * width_, rank_, GR_.data() + i * n);
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) {
      GL_[(rank_ + i) * n + j] = GL_[j * n + rank_ + i] = p.UE[i * p.rank_stride + j];
      GR_[(rank_ + i) * n + j] = GR_[j * n + rank_ + i] = p.VD[i * p.rank_stride + j];
    }
    for (std::size_t j = 0; j <= i; ++j) {
      GL_[(rank_ + i) * n + rank_ + j] = GL_[(rank_ + j) * n + rank_ + i] = p.EE[i * p.sample_stride + j];
      GR_[(rank_ + i) * n + rank_ + j] = GR_[(rank_ + j) * n + rank_ + i] = p.DD[i * p.sample_stride + j];
    }
  }
  const bool refined = !exact_ && limit_ > 0;
  if (refined) space_.refine(n, GL_.data(), GR_.data(), n, limit_, rank_);
  else space_.exact(n, GL_.data(), GR_.data(), n, limit_);
  dropped_ = space_.left_out();
  const std::size_t stride = space_.stride();
  samples.prepare(space_.Z() + rank_ * stride, space_.Y() + rank_ * stride, stride, space_.found());
  rank_ = space_.found();
  std::fill(VV_.begin(), VV_.end(), 0.0);
  if (!space_.rotated()) return;
  for (std::size_t i = 0; i < rank_; ++i) VV_[i * width_ + i] = space_.squares()[i];
}

void DiagonalPlusLowRank::truncate_tile(const GatheredSamples& samples, std::size_t old_rank, std::size_t first,
                                        std::size_t count) {
  const std::size_t stride = space_.stride();
  double* old = uv_.data() + first * uv_stride();
  std::fill_n(left_.data(), count * stride, 0.0);
  std::fill_n(right_.data(), count * stride, 0.0);
  kernels::add_product(count, width_, old_rank, 1.0, {old, uv_stride()}, {space_.Z(), stride}, left_.data(), stride);
  kernels::add_product(count, width_, old_rank, 1.0, {old + width_, uv_stride()}, {space_.Y(), stride}, right_.data(),
                       stride);
  samples.add(first, count, left_.data(), right_.data(), stride);
  if (compensate_) {
    std::fill_n(diagonal_.data(), count, 0.0);
    samples.diagonal(first, count, diagonal_.data());
    add_row_products(count, old, old + width_, uv_stride(), padded(old_rank), diagonal_.data());
  }
  for (std::size_t r = 0; r < count; ++r) {
    double* row = old + r * uv_stride();
    std::copy_n(left_.data() + r * stride, width_, row);
    std::copy_n(right_.data() + r * stride, width_, row + width_);
  }
  if (!space_.rotated()) {
    const double* V = old + width_;
    kernels::add_product(rank_, width_, count, 1.0, {V, 1, uv_stride()}, {V, uv_stride()}, VV_.data(), width_);
  }
  if (!compensate_) return;
  subtract_row_products(count, old, old + width_, uv_stride(), padded_rank(), diagonal_.data());
  for (std::size_t r = 0; r < count; ++r) extra_[first + r] += std::max(0.0, diagonal_[r]);
}

/// 1/D, and what the rows add to U^T D^-1 U and V^T D^-1 U.
void DiagonalPlusLowRank::sum_tile(std::size_t first, std::size_t count) {
  for (std::size_t r = first; r < first + count; ++r) inverse_[r] = 1 / D(r);
  if (rank_ == 0) return;
  const std::size_t stride = uv_stride();
  const double* uv = uv_.data() + first * stride;
  double* scaled = left_.data();
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t j = 0; j < stride; ++j) scaled[r * stride + j] = inverse_[first + r] * uv[r * stride + j];
  }
  double* UDU = products_.data();
  kernels::add_product(rank_, width_, count, 1.0, {scaled, 1, stride}, {uv, stride}, UDU, width_);
  kernels::add_product(rank_, width_, count, 1.0, {scaled + width_, 1, stride}, {uv, stride}, UDU + width_ * width_,
                       width_);
}

/// H, stored by columns: the inverse of (I + V^T D^-1 U)^T.
void DiagonalPlusLowRank::invert_small() {
  if (rank_ == 0) return;
  const double* VDU = products_.data() + width_ * width_;
  std::fill(H_.begin(), H_.end(), 0.0);
  for (std::size_t i = 0; i < rank_; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) H_[j * width_ + i] = VDU[i * width_ + j] + (i == j ? 1.0 : 0.0);
  }
  if (invert(rank_, H_.data(), width_, order_.data())) return;
  std::fill(H_.begin(), H_.end(), 0.0);
  ++singular_;
}

}  // namespace bellwether
