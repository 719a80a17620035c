#include <bellwether/linalg/inverse/trace_block.h>

#include <algorithm>

namespace bellwether {
namespace {

/// As in core/learner.h: the product of two numbers below it is finite.
constexpr double limit = 1e50;

}  // namespace

TraceBlock::TraceBlock(std::size_t dim, std::size_t capacity)
    : length_(dim),
      e_(dim, 0.0),
      start_(dim, 0.0),
      factor_(capacity),
      begin_(capacity + 1, 0),
      index_(capacity * dim),
      value_(capacity * dim) {}

bool TraceBlock::propose(double f, const DenseView& a) {
  proposed_bound_ = std::abs(f) * bound_;
  for (std::size_t j = 0; j < a.size; ++j) proposed_bound_ += std::abs(a.values[j]);
  if (!(proposed_bound_ <= limit)) return false;
  dense_ = true;
  factor_[size_] = 0;
  double* e = value_.data() + size_ * e_.size();
  for (std::size_t j = 0; j < a.size; ++j) e[j] = f * e_[j] + a.values[j];
  begin_[size_ + 1] = begin_[size_] + a.size;
  return true;
}

bool TraceBlock::propose(double f, const SparseView& a) {
  proposed_bound_ = std::abs(f) * bound_;
  for (std::size_t k = 0; k < a.size; ++k) proposed_bound_ += std::abs(a.values[k]);
  if (!(proposed_bound_ <= limit)) return false;
  dense_ = false;
  factor_[size_] = f;
  begin_[size_ + 1] = begin_[size_] + a.size;
  std::copy_n(a.indices, a.size, index_.data() + begin_[size_]);
  std::copy_n(a.values, a.size, value_.data() + begin_[size_]);
  return true;
}

void TraceBlock::accept() {
  bound_ = proposed_bound_;
  if (dense_) {
    std::copy_n(dense_trace(size_), length_, e_.data());
  } else {
    kernels::scale(factor_[size_], e_.data(), length_);
    kernels::axpy(1.0, sparse(size_), e_.data());
  }
  ++size_;
}

void TraceBlock::clear() {
  for (std::size_t j = 0; j < length_; ++j) {
    if (std::abs(e_[j]) < 1e-200) e_[j] = 0;  // denormal numbers are slow
  }
  std::copy_n(e_.data(), length_, start_.data());
  size_ = 0;
}

void TraceBlock::continue_from(const TraceBlock& other, std::span<const std::uint32_t> index) {
  std::fill(e_.begin(), e_.end(), 0.0);
  for (std::size_t i = 0; i < index.size(); ++i) e_[index[i]] = other.e_[i];
  bound_ = other.bound_;
  start_ = e_;
}

void TraceBlock::products(const double* q, std::size_t count, double* out) const {
  if (dense_) {
    for (std::size_t i = 0; i < count; ++i) out[i] = kernels::dot(q, dense_trace(i), length_);
    return;
  }
  double product = factor_[0] == 0 ? 0 : kernels::dot(q, start_.data(), length_);
  for (std::size_t i = 0; i < count; ++i) out[i] = product = factor_[i] * product + kernels::dot(sparse(i), q);
}

/// Eight rows at a time: a sum of few entries waits for each addition, and eight of them wait together.
void TraceBlock::products_of_rows(const double* P, std::size_t stride, std::size_t rows, std::size_t count, double* out,
                                  std::size_t out_stride) const {
  constexpr std::size_t together = 8;
  std::size_t j = 0;
  for (; !dense_ && j + together <= rows; j += together) {
    const double* p = P + j * stride;
    double product[together] = {};
    for (std::size_t l = 0; factor_[0] != 0 && l < together; ++l) {
      product[l] = kernels::dot(p + l * stride, start_.data(), length_);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const SparseView a = sparse(i);
      double sum[together] = {};
      for (std::size_t k = 0; k < a.size; ++k) {
        for (std::size_t l = 0; l < together; ++l) sum[l] += a.values[k] * p[l * stride + a.indices[k]];
      }
      for (std::size_t l = 0; l < together; ++l) {
        out[(j + l) * out_stride + i] = product[l] = factor_[i] * product[l] + sum[l];
      }
    }
  }
  for (; j < rows; ++j) products(P + j * stride, count, out + j * out_stride);
}

void TraceBlock::continue_products(const double* Q, std::size_t stride, double* previous) const {
  for (std::size_t j = 0; j < size_; ++j) {
    const double* q = Q + j * stride;
    if (dense_) previous[j] = kernels::dot(q, dense_trace(size_), length_);
    else previous[j] = factor_[size_] * previous[j] + kernels::dot(sparse(size_), q);
  }
}

void TraceBlock::combine(const double* z, double* out) const {
  std::fill_n(out, length_, 0.0);
  double h = 0;
  for (std::size_t i = size_; i-- > 0;) {
    h += z[i];
    if (dense_) kernels::axpy(h, dense_trace(i), out, length_);
    else kernels::axpy(h, sparse(i), out);
    h *= factor_[i];
  }
  kernels::axpy(h, start_.data(), out, length_);
}

}  // namespace bellwether
