#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/core/state.h>
#include <bellwether/linalg/dense/aligned_vector.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// The traces e_0 .. e_{m-1} of a block of steps, without m dense vectors:
///
///   e_i = f_i e_{i-1} + a_i                      e_{-1}: the trace at the start of the block
///
/// With sparse features a_i has few entries, and only they are stored. Products and sums then follow the recursion:
///
///   q.e_i       = f_i (q.e_{i-1}) + q.a_i                       all i in O(d + entries)
///   sum z_i e_i = sum h_i a_i + h_0 f_0 e_{-1},  h_i = z_i + f_{i+1} h_{i+1}
///
/// With dense features e_i itself is stored, which is the case f_i = 0, a_i = e_i. A block is dense or sparse as a
/// whole.
class TraceBlock {
 public:
  TraceBlock(std::size_t dim, std::size_t capacity);

  /// Uses only entries below `length` from now on; all others must still be zero. Before the first call all d are used.
  void use_length(std::size_t length) { length_ = length; }

  std::size_t size() const { return size_; }
  bool dense() const { return dense_; }
  const double* trace() const { return e_.data(); }  // e_{size()-1}

  /// True when a sample of this kind can be added: the block has none of the other kind.
  template <class A>
  bool fits(const A&) const {
    return size_ == 0 || dense_ == std::is_same_v<A, DenseView>;
  }

  /// Proposes f and a as sample size(). False when |e_i| might leave the range of finite numbers. Until `accept`
  /// nothing changes, except that `products` can include the proposed sample.
  bool propose(double f, const DenseView& a);
  bool propose(double f, const SparseView& a);
  void accept();

  /// Removes the samples but keeps the trace.
  void clear();

  /// Continues from the trace of `other`, whose entry i is entry index[i] here. There must be no samples.
  void continue_from(const TraceBlock& other, std::span<const std::uint32_t> index);

  /// out_i = q.e_i for i < count
  void products(const double* q, std::size_t count, double* out) const;

  /// out_ji = p_j.e_i for i < count and the rows p_j of P, which are `stride` apart; rows of `out` are `out_stride`
  /// apart.
  void products_of_rows(const double* P, std::size_t stride, std::size_t rows, std::size_t count, double* out,
                        std::size_t out_stride);

  /// previous_j = f previous_j + q_j.a for the proposed sample, with q_j the rows of Q: q_j.e_i from q_j.e_{i-1}.
  void continue_products(const double* Q, std::size_t stride, double* previous) const;

  /// out = sum_i z_i e_i
  void combine(const double* z, double* out) const;

  /// e_i of a dense block, the proposed one included.
  const double* dense_trace(std::size_t i) const { return value_.data() + i * e_.size(); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.dense_, self.length_, self.size_, self.bound_);
    visit.require(self.length_ <= self.e_.size() && self.size_ <= self.factor_.size());
    visit.fixed(self.e_, self.start_);
    visit(std::span(self.factor_.data(), self.size_), std::span(self.begin_.data(), self.size_ + 1));
    visit.require(
        std::is_sorted(self.begin_.begin(), self.begin_.begin() + static_cast<std::ptrdiff_t>(self.size_) + 1) &&
        self.begin_[self.size_] <= self.value_.size());
    visit(std::span(self.value_.data(), self.begin_[self.size_]));
    if (self.dense_) return;
    const auto indices = std::span(self.index_.data(), self.begin_[self.size_]);
    visit(indices);
    visit.require(all_below(self.e_.size(), indices));
  }

 private:
  SparseView sparse(std::size_t i) const {
    return {index_.data() + begin_[i], value_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }

  /// The columns that the samples need, each once; `place_` tells which of them an entry has.
  std::span<const std::uint32_t> find_columns();

  bool dense_ = false;
  std::size_t length_;
  std::size_t size_ = 0;
  double bound_ = 0;  // of |e_j|
  double proposed_bound_ = 0;
  std::vector<double> e_, start_;
  std::vector<double> factor_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> index_;
  AlignedVector value_;

  // For the products of rows.
  std::vector<std::uint32_t> columns_, place_;
  std::vector<std::uint32_t> place_of_;  // of a feature among the columns; none between calls
  AlignedVector eight_rows_;
};

}  // namespace bellwether
