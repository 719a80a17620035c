#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/linalg/svd/eigen_update.h>
#include <bellwether/linalg/svd/growing_basis.h>
#include <bellwether/linalg/svd/jacobi_svd.h>

namespace bellwether {

/// A truncated singular value decomposition A ~ U M V^T that is updated by terms A <- c A + s z d^T.
///
/// U (d x a) and V (d x b) are orthonormal, M (a x b) is small and dense. With y = U^T z, n = V^T d,
///
///   p = z - U y,  q = d - V n            the new directions
///   U = [U, p/|p|],  V = [V, q/|q|],  y = [y, |p|],  n = [n, |q|]
///   M = c M + s y n^T
///
/// which is exact until U or V is full. Then `truncate` keeps the k largest singular values,
///
///   M = L diag(sigma) R^T                U = U L_k,  V = V R_k,  M = diag(sigma_1 .. sigma_k)
///
/// the best rank k approximation of the matrix at that time. The strict form truncates after every term, the block form
/// after m terms, and the lazy form when there are 2k directions; the last costs least and loses least, and is what
/// `update` does.
///
/// The left vector moves, z <- f z + a x, as the traces of learners do, and then only x needs to be resolved: with few
/// non-zero entries in x and d a term costs O(entries k + k^2) and one product of k x k matrices, whatever d; see
/// GrowingBasis. A truncation is O(d k^2), once in k terms.
///
/// The pseudo-inverse, with singular values below cutoff sigma_1 taken as zero:
///
///   A+ z = V s,   s = M^T L diag(1/sigma_i^2) L^T y,   M M^T = L diag(sigma^2) L^T
///
/// M M^T changes by a symmetric term of rank two; its eigenvectors are updated, not computed (EigenUpdate). Squaring
/// costs digits only below the cut-off: kept values are right to rounding / cutoff^2. For a cut-off below 1e-3 the
/// updated vectors are made singular vectors of M by Jacobi rotations (JacobiSvd) at every call, which takes longer.
///
/// Factors are determined only up to signs, and rotations where singular values are equal: compare products, never U or
/// V. Allocates in the constructor only, unless a function says otherwise.
class IncrementalSvd {
 public:
  enum class Solves : bool { never, every_term };

  /// From this cut-off on the eigenvalues of M M^T have enough digits. A solution with a smaller one first makes them
  /// accurate again, which later solutions profit from.
  static constexpr double trusted_cutoff = 1e-3;

  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

  /// Truncates to `rank` when there are `rank` + `room` directions. A rank above d means d.
  IncrementalSvd(std::size_t dim, std::size_t rank, std::size_t room, Solves solves);
  /// The lazy form, with room for 2 rank directions.
  IncrementalSvd(std::size_t dim, std::size_t rank) : IncrementalSvd(dim, rank, rank, Solves::never) {}

  /// The numbers that one of this size keeps at least: U and V with room for as many columns again, and copies.
  static double least_numbers(std::size_t dim, std::int64_t rank) {
    const auto d = static_cast<double>(dim);
    return 8 * d * std::min(d, static_cast<double>(rank));
  }

  std::size_t dim() const { return U_.dim(); }
  std::size_t left_size() const { return U_.size(); }
  std::size_t right_size() const { return V_.size(); }

  /// The length of arrays for coordinates in V: a multiple of eight.
  std::size_t coordinate_room() const { return stride_; }

  /// A <- c A + s z d^T with a new z, then truncates if full. Vectors are given as DenseView or SparseView.
  template <class Z, class D>
  void update(double c, double s, const Z& z, const D& d) {
    resolve(0, 1, z, d);
    commit(c, s);
    if (full()) truncate();
  }

  /// The first half of a term, z <- f z + a x and d. Changes nothing yet.
  template <class X, class D>
  void resolve(double f, double a, const X& x, const D& d) {
    f_ = f;
    U_.resolve(a, x, f, carries_ && f != 0 ? carried_.data() : nullptr);
    V_.resolve(1, d);
  }

  /// V^T d of the last resolved term, right_size() numbers.
  const double* right_coordinates() const { return V_.coordinates(); }

  /// A bound of |z| and |d| after the last resolved term, or NaN.
  double magnitude() const;

  /// The second half: z <- f z + a x, A <- c A + s z d^T.
  void commit(double c, double s);

  /// True when there may be no room for another term.
  bool full() const { return U_.size() >= limit_ || V_.size() >= limit_; }

  /// False when so many terms may need more room than there is before the next truncation.
  bool has_room(std::size_t terms) const {
    return limit_ >= dim() || (terms <= limit_ && std::max(U_.size(), V_.size()) <= limit_ - terms);
  }

  /// Keeps the `rank` largest singular values.
  void truncate();

  /// s with A+ z = V s, right_size() numbers. At most the `most` largest singular values are used, and if full() at
  /// most `rank`, as after the truncation that is due. For Solves::every_term.
  const double* solve(double cutoff, std::size_t most = no_limit);

  /// The same with the A of the last truncation; zero before the first.
  const double* solve_truncated(double cutoff, std::size_t most = no_limit);

  /// How many singular values the last solution used, the largest and the smallest of them.
  struct Used {
    std::size_t count = 0;
    double largest = 0;
    double smallest = 0;

    static constexpr auto state() { return std::tuple{&Used::count, &Used::largest, &Used::smallest}; }
  };
  const Used& used() const { return used_; }

  /// out += V s. Overwrites s, which has coordinate_room() numbers.
  void combine_right(double* s, double* out) const { V_.combine(s, out); }

  /// (V s).x. Allocates.
  template <class X>
  double dot_right(const double* s, const X& x) const {
    return V_.dot(s, x);
  }

  /// Columns of U and of V, and M by rows of right_size(), written out. These allocate.
  std::vector<double> left(std::size_t column) const { return written_out(U_, column); }
  std::vector<double> right(std::size_t column) const { return written_out(V_, column); }
  std::vector<double> core() const;

  /// The singular value decomposition of M, and A+ v computed from it. These allocate too.
  JacobiSvd decomposition() const;
  std::vector<double> pseudo_inverse(std::span<const double> v, double cutoff) const {
    return pseudo_inverse(decomposition(), v, cutoff, no_limit);
  }
  std::vector<double> pseudo_inverse(const JacobiSvd& svd, std::span<const double> v, double cutoff,
                                     std::size_t most) const;

  /// In descending order. Allocates.
  std::vector<double> singular_values() const;

  /// A v. Allocates.
  std::vector<double> times(std::span<const double> v) const;

  /// A <- A + B, truncated to rank, which combines parts that were learned separately. Resets z. Allocates.
  void merge(const IncrementalSvd& other);

  /// Sets z, which the next term moves.
  void continue_from(std::span<const double> z);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.U_, self.V_, self.carries_, self.gram_, self.since_refresh_, self.truncated_);
    visit.fixed(self.M_, self.z_, self.sigma_);
    if (self.carries_) visit.fixed(self.carried_);
    visit.require(self.truncated_ <= self.rank_ && self.truncated_ <= std::min(self.left_size(), self.right_size()) &&
                  self.gram_.size() == (self.solves_ == Solves::every_term ? self.left_size() : 0));
  }

 private:
  static std::vector<double> written_out(const GrowingBasis& basis, std::size_t column);
  void refresh();

  std::size_t rank_, limit_, stride_;
  Solves solves_;
  GrowingBasis U_, V_;
  std::vector<double> M_;
  std::vector<double> z_;        // U^T z
  std::vector<double> carried_;  // the part of z outside U since the last truncation
  bool carries_ = false;
  double f_ = 0;
  EigenUpdate gram_;  // of M M^T
  JacobiSvd svd_;     // of M, when last computed
  std::size_t since_refresh_ = 0;
  std::vector<double> sigma_;  // of the last truncation
  std::size_t truncated_ = 0;  // how many
  std::vector<double> n_, h_, s_, left_rotation_, right_rotation_;
  Used used_;
};

}  // namespace bellwether
