#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/core/state.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// An orthonormal basis U (d x n) of a subspace that grows by one vector at a time and is compressed now and then.
///
///   resolve    v = U y + p, U^T p = 0             y and |p| are kept until the next call, nothing changes
///   extend     U = [U, p / |p|]                   with the p of the last `resolve`
///   rotate     U = U W                            W with fewer columns, orthonormal
///
/// If v is nearly in the span, p has few correct digits; so p is orthogonalised twice
/// (without the second pass a basis drifts from orthonormal to useless within 30,000 updates), and dropped when it is
/// shorter than 1e-10 |v|.
///
/// There are two kinds of columns. After `rotate` and for dense v a column is *stored*: d numbers, and a pass over the
/// basis is O(d n). For v with few entries the dense p need not be formed: the column is *listed* as v itself, the
/// basis is
///
///   U = [Q, S] R^-1        Q the stored, S the listed columns, R upper triangular (Gram-Schmidt of [Q, S])
///
/// and operations with U need only R and products of few entries: O(entries n + n^2), whatever d. Gram-Schmidt of
/// products loses digits as |v|^2 / |p|^2, so a v that is nearly in the span (|p| < 0.1 |v|) is stored after all.
/// The errors of this and of `rotate` have a bound, which mostly is far too high. When it exceeds 2e-13, the errors are
/// measured, by U^T U s = s for vectors s of random signs, and removed if they are indeed so large.
class GrowingBasis {
 public:
  GrowingBasis(std::size_t dim, std::size_t capacity);

  std::size_t dim() const { return dim_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  /// v = a x + f extra, `extra` a dense vector that is nearly orthogonal to U, or null.
  void resolve(double a, const SparseView& x, double f = 0, const double* extra = nullptr);
  void resolve(double a, const DenseView& x, double f = 0, const double* extra = nullptr);

  /// y and |p| of the last resolved vector. |p| is 0 where p is only rounding.
  const double* coordinates() const { return y_.data(); }
  double residual() const { return residual_; }

  /// Appends the direction p / |p| of the last resolved vector, |p| > 0.
  void extend();

  /// U = U W, W size() x `columns`, its rows `stride` apart and padded to a multiple of eight. Overwrites W.
  void rotate(double* W, std::size_t columns, std::size_t stride);

  /// out += U c. Overwrites c.
  void combine(double* c, double* out) const;

  /// y = U^T v
  void project(const double* v, double* y) const;

  /// The largest entry of (U^T U - I) s for a few vectors s of signs: about 1e-13 at most, unless the basis was changed
  /// by someone else. Allocates.
  double drift() const;

  /// (U c).x. Allocates.
  template <class X>
  double dot(const double* c, const X& x) const {
    std::vector<double> scatter(dim_);
    std::vector<double> y(stride_);
    locate(1, x, scatter.data(), y.data());
    return kernels::dot(c, y.data(), size_);
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.size_, self.stored_, self.listed_, self.drift_, self.growth_);
    visit.require(self.size_ <= self.capacity_ && self.stored_ <= self.size_ && self.listed_ <= self.size_);
    for (std::size_t j = 0; j < self.dim_; ++j) visit(std::span(self.Q_.data() + j * self.stride_, self.stored_));
    visit(std::span(self.column_.data(), self.listed_), std::span(self.begin_.data(), self.listed_ + 1));
    visit.require([&] { return self.lists_are_consistent(); });
    const std::size_t entries = self.begin_[self.listed_];
    visit(std::span(self.indices_.data(), entries), std::span(self.values_.data(), entries));
    visit.require(all_below(self.dim_, std::span(self.indices_.data(), entries)));
    visit(std::span(self.pivot_.data(), self.listed_), std::span(self.above_.data(), self.listed_ * self.stride_));
    visit.require([&] { return self.drift() < 1e-6; });
  }

 private:
  bool lists_are_consistent() const;

  /// y = U^T (a x). `scatter` (d numbers) and y must be zero; `scatter` is zero again afterwards.
  template <class X>
  void locate(double a, const X& x, double* scatter, double* y) const {
    if constexpr (std::is_same_v<X, SparseView>) {
      kernels::add_rows(a, x, Q_.data(), stride_, y, stored_);
    } else {
      x.for_each([&](std::size_t j, double value) {
        if (value != 0) kernels::axpy(a * value, Q_.data() + j * stride_, y, stored_);
      });
    }
    if (listed_ == 0) return;
    kernels::axpy(a, x, scatter);
    solve_listed(scatter, y);
    x.for_each([&](std::size_t j, double) { scatter[j] = 0; });
  }

  template <class X>
  void resolve_any(double a, const X& x, double f, const double* extra);
  void form_residual();
  void list(double a, const SparseView& x);
  void solve_listed(const double* v, double* y) const;
  void to_columns(double* c) const;
  void subtract(double* c, double* v, double* y = nullptr) const;
  double measured_drift();
  void polish();

  /// How many entries another listed column may have; none when there is no room for a column.
  std::size_t room_for_entries() const {
    return size_ == capacity_ ? 0 : std::min(most_entries_, indices_.size() - begin_[listed_]);
  }

  SparseView entries(std::size_t l) const {
    return {indices_.data() + begin_[l], values_.data() + begin_[l], begin_[l + 1] - begin_[l]};
  }
  const double* above(std::size_t l) const { return above_.data() + l * stride_; }

  std::size_t dim_, capacity_, stride_;
  std::size_t most_entries_;  // of a listed column: with more of them, a stored one takes less time
  std::size_t size_ = 0;
  std::size_t stored_ = 0;     // all stored columns are among the first stored_ of U
  std::vector<double> Q_;      // d rows; zero in listed columns
  std::vector<double> other_;  // where the next Q is written
  double drift_ = 0;           // bound of max |U^T U - I|, or what was measured
  double growth_ = 0;          // |v| / |p| of the worst listed column

  // Listed columns, in order. The l-th is column column_[l] of U and has its entries at begin_[l] .. begin_[l+1]; row l
  // of above_ is its column of R above the diagonal, and pivot_[l] is the diagonal.
  std::size_t listed_ = 0;
  std::vector<std::size_t> column_, begin_;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_, pivot_, above_;

  // The last resolved vector. If it can be listed, its entries are already behind those of the last column.
  std::vector<double> y_, p_, work_, correction_;
  std::vector<double> scatter_;  // zeros between calls
  double residual_ = 0;
  bool stays_sparse_ = false;
};

}  // namespace bellwether
