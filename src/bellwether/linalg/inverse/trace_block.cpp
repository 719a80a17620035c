#include <bellwether/linalg/inverse/trace_block.h>

#include <algorithm>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/matvec.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// As in core/learner.h: the product of two numbers below it is finite.
constexpr double limit = 1e50;

constexpr std::uint32_t none = 0xffffffff;

/// The entries of samples: those of sample i are begin[i] .. begin[i+1]-1.
struct Entries {
  const std::size_t* begin;
  const std::uint32_t* place;  // of their columns
  const double* value;
};

/// Sums over the entries of Samples samples from sample i on, for eight rows: several at once, as each addition waits
/// for the one before it in its sum.
template <std::size_t Samples>
BELLWETHER_INLINE void add_up(const Entries& entries, std::size_t i, const double* rows, Eight* sums) {
  const auto length = [&](std::size_t s) { return entries.begin[i + s + 1] - entries.begin[i + s]; };
  const auto term = [&](std::size_t s, std::size_t k) {
    const std::size_t entry = entries.begin[i + s] + k;
    return entries.value[entry] * Eight::load(rows + Eight::width * entries.place[entry]);
  };
  std::size_t common = length(0);
  for (std::size_t s = 0; s < Samples; ++s) {
    sums[s] = Eight{};
    common = std::min(common, length(s));
  }
  for (std::size_t k = 0; k < common; ++k) {
    for (std::size_t s = 0; s < Samples; ++s) sums[s] += term(s, k);
  }
  for (std::size_t s = 0; s < Samples; ++s) {
    for (std::size_t k = common; k < length(s); ++k) sums[s] += term(s, k);
  }
}

/// out_li = p_l.e_i for eight rows p_l, given p_l.e_{-1}.
BELLWETHER_SIMD_FLAT void multiply_eight_rows(std::size_t count, const Entries& entries, const double* rows,
                                              const double* factor, const double* before, double* out,
                                              std::size_t out_stride) {
  constexpr std::size_t samples = 4;
  Eight product = Eight::load(before);
  Eight sums[samples];
  for (std::size_t i = 0; i < count; i += samples) {
    const std::size_t some = std::min(samples, count - i);
    if (some == samples) add_up<samples>(entries, i, rows, sums);
    else
      for (std::size_t s = 0; s < some; ++s) add_up<1>(entries, i + s, rows, sums + s);
    for (std::size_t s = 0; s < some; ++s) {
      product = factor[i + s] * product + sums[s];
      for (std::size_t l = 0; l < Eight::width; ++l) out[l * out_stride + i + s] = product[l];
    }
  }
}

}  // namespace

TraceBlock::TraceBlock(std::size_t dim, std::size_t capacity)
    : length_(dim),
      e_(dim, 0.0),
      start_(dim, 0.0),
      factor_(capacity),
      begin_(capacity + 1, 0),
      index_(capacity * dim),
      value_(capacity * dim),
      columns_(dim),
      place_(capacity * dim),
      place_of_(dim, none),
      eight_rows_(dim * Eight::width) {}

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

std::span<const std::uint32_t> TraceBlock::find_columns() {
  std::uint32_t found = 0;
  for (std::size_t k = 0; k < begin_[size_]; ++k) {
    std::uint32_t& place = place_of_[index_[k]];
    if (place == none) {
      place = found;
      columns_[found++] = index_[k];
    }
    place_[k] = place;
  }
  const std::span<const std::uint32_t> columns(columns_.data(), found);
  for (const std::uint32_t column : columns) place_of_[column] = none;
  return columns;
}

/// Eight rows at a time. What the samples need of them is copied first, eight numbers for each column.
void TraceBlock::products_of_rows(const double* P, std::size_t stride, std::size_t rows, std::size_t count, double* out,
                                  std::size_t out_stride) {
  constexpr std::size_t together = Eight::width;
  const auto columns = dense_ ? std::span<const std::uint32_t>() : find_columns();
  std::size_t j = 0;
  for (; !dense_ && j + together <= rows; j += together) {
    const double* p = P + j * stride;
    double product[together] = {};
    if (factor_[0] != 0) kernels::add_matvec(together, length_, p, stride, 1.0, start_.data(), product);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t l = 0; l < together; ++l) eight_rows_[c * together + l] = p[l * stride + columns[c]];
    }
    const Entries entries{begin_.data(), place_.data(), value_.data()};
    multiply_eight_rows(count, entries, eight_rows_.data(), factor_.data(), product, out + j * out_stride, out_stride);
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
