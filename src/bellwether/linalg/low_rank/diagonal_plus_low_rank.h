#pragma once

#include <cstddef>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/low_rank/top_left_space.h>
#include <bellwether/linalg/simd/eight.h>

namespace bellwether {

/// The products that a learner needs of the gain s = S^-1 e of a sample e d^T that S already holds.
struct GainProducts {
  double pivot;  // 1 + d.S^-1 e with S before the sample: the factor by which the sample multiplies det S
  double ds;     // d.s = 1 - 1/pivot: the share of an error that a step by s removes
  double es;     // e.s
  double sDs;    // s.D s, D the diagonal part of S
};

/// Rank-one terms e_0 d_0^T .. e_{m-1} d_{m-1}^T that are gathered for a matrix, as `DiagonalPlusLowRank::absorb` reads
/// them. With E = [e_0 ..], Delta = [d_0 ..]:
class GatheredSamples {
 public:
  virtual std::size_t count() const = 0;  // m

  /// Products of the samples with one another and with the matrix's U and V, one row per sample.
  struct Products {
    const double* EE;  // E^T E
    const double* DD;  // Delta^T Delta
    const double* UE;  // E^T U
    const double* VD;  // Delta^T V
    std::size_t sample_stride;
    std::size_t rank_stride;
  };
  virtual Products products() const = 0;

  /// Announces the m x columns matrices that `add` multiplies by; either may be null, which stands for zero.
  virtual void prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) = 0;

  /// Adds rows first .. first+rows-1 of E left and Delta right.
  virtual void add(std::size_t first, std::size_t rows, double* E_left, double* Delta_right,
                   std::size_t stride) const = 0;

  /// The same rows of the diagonal of E Delta^T.
  virtual void diagonal(std::size_t first, std::size_t rows, double* sums) const = 0;

 protected:
  ~GatheredSamples() = default;
};

/// What a caller does with rows of the matrix while `absorb` has them in cache.
class RowPass {
 public:
  /// U, V and D of these rows are still those before the samples.
  virtual void before(std::size_t first, std::size_t rows) = 0;

  /// They are those after the samples. The rank already is the new one in both calls.
  virtual void after(std::size_t first, std::size_t rows) = 0;

 protected:
  ~RowPass() = default;
};

/// A matrix kept as a diagonal plus a product of low rank, and its inverse (Woodbury):
///
///   S    = diag(D) + U V^T                 D = zeta + C;  U has k orthonormal columns
///   S^-1 = D^-1 - D^-1 U H V^T D^-1        H = (I + V^T D^-1 U)^-1, k x k
///
/// `absorb` adds gathered rank-one terms and truncates: the new U spans the k leading left singular directions of
/// U V^T + E Delta^T, the new V is that sum's projection on them, and the diagonal of what is dropped goes to C (where
/// negative entries of the change are left out, so that D >= zeta): mass is moved, not lost. While k is at least the
/// number of rows nothing is dropped, and S is exact.
///
/// Rows are added when they are needed (a feature is seen for the first time): there is room for `dim` rows, but only
/// those in use take memory and time. O(rows k) for a product with S or S^-1, O(rows k^2 + (k+m)^2 k) for `absorb`, which
/// passes over the rows once: with many rows memory is slower than arithmetic.
/// Nothing is allocated after construction.
class DiagonalPlusLowRank {
 public:
  struct Shape {
    std::size_t dim;    // rows at most
    std::size_t rank;   // columns of U and V at most
    std::size_t block;  // samples absorbed at once at most
  };
  DiagonalPlusLowRank(const Shape& shape, bool compensate, bool exact);

  std::size_t rows() const { return inverse_.size(); }
  std::size_t rank() const { return rank_; }  // in use
  const Shape& shape() const { return shape_; }

  /// Sets how many columns may be in use from now on, at most the shape's rank.
  void limit_rank(std::size_t limit) { limit_ = limit; }
  std::size_t rank_limit() const { return limit_; }

  double zeta() const { return zeta_; }
  double D(std::size_t row) const { return zeta_ + extra_[row]; }
  double diagonal(std::size_t row) const;                             // of S - zeta I; 0 where that is negative
  const double* inverse_diagonal() const { return inverse_.data(); }  // 1 / D

  /// Row r of [U | V] starts at uv() + r * uv_stride(); V begins `width()` numbers after U, both padded with zeros to a
  /// multiple of 8.
  const double* uv() const { return uv_.data(); }
  std::size_t uv_stride() const { return 2 * width_; }
  std::size_t width() const { return width_; }
  std::size_t padded_rank() const { return padded(rank_); }

  const double* H() const { return H_.data(); }           // by columns, width() apart
  const double* UDU() const { return products_.data(); }  // U^T D^-1 U, rows width() apart
  std::size_t singular() const { return singular_; }      // how often S was singular; U V^T was then ignored

  /// The singular values of U V^T, descending, and the largest that the last `absorb` dropped, as far as it is known.
  std::vector<double> singular_values() const;
  double dropped() const;

  /// The length of the longest column of V: the largest singular value, from the first truncation on.
  double longest() const;

  /// Sets zeta before the first `absorb`.
  void start(double zeta);

  void add_row();

  /// C_row += value, which takes effect with the next `absorb`.
  void add_diagonal(std::size_t row, double value) { extra_[row] += value; }

  /// S += E Delta^T, truncated; D = zeta + C with the given zeta, which may differ from the last. H is computed after
  /// the last call of `pass`, which may be null.
  void absorb(GatheredSamples& samples, double zeta, RowPass* pass = nullptr);

  /// out = S^-1 v and out = (S - zeta I) v; `small` is room for 2 width() numbers.
  void solve(const double* v, double* out, double* small) const;
  void multiply(const double* v, double* out, double* small) const;

  /// v -= D^-1 U q at some rows, the first n columns of U having been in use when q was found.
  void subtract_left(std::size_t first, std::size_t rows, const double* q, std::size_t n, double* v) const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.limit_, self.rank_, self.zeta_, self.singular_, self.dropped_, self.uv_, self.extra_, self.inverse_);
    visit.fixed(self.H_, self.VV_, self.products_);
    visit.require(self.limit_ <= self.shape_.rank && self.rank_ <= self.shape_.rank &&
                  self.uv_.size() == self.rows() * self.uv_stride() && self.extra_.size() == self.rows());
  }

 private:
  void absorb_everything(GatheredSamples& samples);
  void find_space(GatheredSamples& samples);
  void truncate_tile(const GatheredSamples& samples, std::size_t old_rank, std::size_t first, std::size_t count);
  void sum_tile(std::size_t first, std::size_t count);
  void invert_small();

  Shape shape_;
  bool compensate_;
  bool exact_;
  std::size_t limit_;
  std::size_t width_;
  std::size_t rank_ = 0;
  double zeta_ = 0;
  std::size_t singular_ = 0;
  double dropped_ = 0;
  CappedVector<double> uv_;
  CappedVector<double> extra_;    // C
  CappedVector<double> inverse_;  // 1 / D
  std::vector<double> H_;         // H transposed
  std::vector<double> VV_;        // V^T V
  std::vector<double> products_;  // U^T D^-1 U, then V^T D^-1 U
  TopLeftSpace space_;
  std::vector<double> GL_, GR_;                  // the Gram matrices of [U E] and [V Delta]
  std::vector<double> left_, right_, diagonal_;  // tiles of rows
  std::vector<std::size_t> order_;
};

}  // namespace bellwether
