#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/low_rank/postponed_renewals.h>
#include <bellwether/linalg/low_rank/row_loops.h>
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

  /// Adds these rows of E left and Delta right, without what `rest` describes.
  virtual void add(const RowTile& tile, double* E_left, double* Delta_right, std::size_t stride) const = 0;

  /// The same rows of the diagonal of E Delta^T, all of it.
  virtual void diagonal(const RowTile& tile, double* sums) const = 0;

  /// What the samples do to rows that they do not touch. With e the entry of the trace at their start, whose last
  /// multiple is c e: a row of E left has e z in addition, for the z of the last `prepare`, and the weights change by
  /// -(u.q + b e) / D.
  struct Rest {
    std::span<const std::uint32_t> touched;  // all other rows are not
    const double* z;
    const double* q;
    double c, b;
  };
  virtual std::optional<Rest> rest() const { return std::nullopt; }  // none: all rows are touched, and have no trace

 protected:
  ~GatheredSamples() = default;
};

/// What a caller does with rows of the matrix while `absorb` has them in cache.
class RowPass {
 public:
  /// U, V and D of these rows are still those before the samples, but the rank is the new one.
  virtual void before(const RowTile& tile) = 0;

  /// The trace that follows the samples, at these rows.
  virtual void trace(const RowTile& tile, double* e) = 0;

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
/// A trace e, one number per row, is kept beside it for the samples that come next, with its products.
///
/// With many rows most of them have no entry in the samples of an `absorb`. It then passes over those only that have
/// one, and is postponed for the others (`PostponedRenewals`). Such a row's part of what is dropped goes to D when a
/// sample next touches the row; until then D is smaller by it. Sums over all rows follow the small matrices Z and Y:
///
///   U'^T D^-1 U' = Z^T (U^T D^-1 U) Z,    V'^T D^-1 U' = Y^T (V^T D^-1 U) Z        over the rows not touched
///
/// Rows are added when they are needed (a feature is seen for the first time): there is room for `dim` rows, but only
/// those in use take memory and time. O(rows k) for a product with S or S^-1, O(rows k^2 + (k+m)^2 k) for `absorb`,
/// which passes over the rows once: with many rows memory is slower than arithmetic. Nothing is allocated after
/// construction.
class DiagonalPlusLowRank {
 public:
  /// From how many rows on it is worth while to postpone: a pass over so many costs more than to keep what was
  /// postponed.
  static constexpr std::size_t many_rows(std::size_t rank) {
    return std::max<std::size_t>(4096, PostponedRenewals::most / 2 * padded(rank));
  }

  struct Shape {
    std::size_t dim;                     // rows at most
    std::size_t rank;                    // columns of U and V at most
    std::size_t block;                   // samples absorbed at once at most
    std::size_t many = many_rows(rank);  // rows from which on `absorb` postpones what it can
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

  /// Products of the trace with the matrix.
  struct TraceProducts {
    std::vector<double> Ue;           // U^T e
    std::vector<double> Ue_weighted;  // U^T D^-1 e
    std::vector<double> Ve_weighted;  // V^T D^-1 e
    double ee = 0, ee_weighted = 0;   // e.e and e.D^-1 e

    static constexpr auto state() {
      return std::tuple{&TraceProducts::Ue, &TraceProducts::Ue_weighted, &TraceProducts::Ve_weighted,
                        &TraceProducts::ee, &TraceProducts::ee_weighted};
    }
  };
  const TraceProducts& with_trace() const { return with_trace_; }
  double trace(std::size_t row) const { return trace_[row]; }

  /// Sets the trace, one number per row. All rows must be up to date.
  void begin_trace(const double* e);

  /// Brings a row up to date, and its weight w. Only then may its U, V and trace be read.
  void bring(std::size_t row, double& w) {
    if (postponed_.stale(row)) bring_stale(row, w);
  }
  bool stale(std::size_t row) const { return postponed_.stale(row); }

  /// What is to be added to the weight of a row, were it up to date and then changed by -(u.q + b e) / D.
  double change(std::size_t row, const double* q, double b) const;

  /// C_row += value, which takes effect with the next `absorb`.
  void add_diagonal(std::size_t row, double value) { extra_[row] += value; }

  /// S += E Delta^T, truncated; D = zeta + C with the given zeta, which may differ from the last. `pass` is called for
  /// every row that takes part; it may be null. `w` is the weights that postponed renewals change; with `complete`
  /// nothing is postponed.
  void absorb(GatheredSamples& samples, double zeta, RowPass* pass = nullptr, double* w = nullptr,
              bool complete = true);

  /// out = S^-1 v and out = (S - zeta I) v; `small` is room for 2 width() numbers, of which `multiply` sets the first
  /// to V^T v. With a tile v is zero at other rows, of which out is not computed.
  void solve(const double* v, double* out, double* small) const { solve({0, rows()}, v, out, small); }
  void multiply(const double* v, double* out, double* small) const { multiply({0, rows()}, v, out, small); }
  void solve(const RowTile& tile, const double* v, double* out, double* small) const;
  void multiply(const RowTile& tile, const double* v, double* out, double* small) const;

  /// v -= D^-1 U q at some rows, the first n columns of U having been in use when q was found.
  void subtract_left(const RowTile& tile, const double* q, std::size_t n, double* v) const;

  /// True when `absorb` postpones what it can, for which there have to be many rows.
  bool postpones() const { return postponed_.enabled() && rows() >= shape_.many; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.limit_, self.rank_, self.zeta_, self.singular_, self.dropped_, self.uv_, self.extra_, self.inverse_);
    visit(self.trace_, self.owed_, self.with_trace_, self.postponed_);
    visit.fixed(self.H_, self.VV_, self.products_);
    visit.require(self.limit_ <= self.shape_.rank && self.rank_ <= std::min(self.limit_, self.rows()) &&
                  self.postponed_.rows() == (self.postponed_.enabled() ? self.rows() : 0) &&
                  self.rows() <= self.shape_.dim && self.zeta_ >= 0 &&
                  self.uv_.size() == self.rows() * self.uv_stride() && self.extra_.size() == self.rows() &&
                  self.trace_.size() == self.rows() && self.owed_.size() == self.rows());
  }

 private:
  static constexpr std::size_t tile_rows = 36;  // that a pass has in cache at once

  bool left_is_identity() const;
  void absorb_everything(GatheredSamples& samples);
  void find_space(GatheredSamples& samples);
  void bring_stale(std::size_t row, double& w);
  void sweep(double* w);
  void absorb_touched(const GatheredSamples& samples, const GatheredSamples::Rest& rest, std::size_t old_rank,
                      RowPass* pass);
  void renew_tile(const GatheredSamples& samples, const std::optional<GatheredSamples::Rest>& rest,
                  std::size_t old_rank, const RowTile& tile, const double* old);
  void follow_untouched(const GatheredSamples::Rest& rest, std::size_t old_rank);
  void clear_sums();
  void add_sums(const RowTile& tile, const double* rows, std::size_t rank, double sign);
  void set_trace(const RowTile& tile, RowPass* pass);
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
  CappedVector<double> trace_;    // e
  CappedVector<double> owed_;     // the diagonal dropped by postponed renewals, which goes to C
  TraceProducts with_trace_;
  PostponedRenewals postponed_;
  std::vector<double> H_;         // H transposed
  std::vector<double> VV_;        // V^T V
  std::vector<double> products_;  // U^T D^-1 U, then V^T D^-1 U
  TopLeftSpace space_;
  std::vector<double> GL_, GR_;                                             // the Gram matrices of [U E] and [V Delta]
  std::vector<double> gathered_, renewed_, scaled_, diagonal_, new_trace_;  // tiles of rows
  std::vector<std::size_t> order_;
};

}  // namespace bellwether
