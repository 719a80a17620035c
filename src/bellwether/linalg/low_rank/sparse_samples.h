#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/inverse/rank_one_block.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>
#include <bellwether/linalg/low_rank/row_histories.h>
#include <bellwether/linalg/low_rank/sparse_sample_loops.h>

namespace bellwether {

/// A sparse vector by rows of the matrix, each row at most once.
struct SparseRows {
  const std::uint32_t* rows;
  const double* values;
  std::size_t size;
};

/// Samples e_i d_i^T gathered on top of S_0 = diag(D) + U V^T, with gains s_i = S_i^-1 e_i, in time that does not
/// depend on the number of rows. The vectors e_i are traces,
///
///   e_i = c_i e_{i-1} + a_i          a_i and d_i sparse, e_i not
///
/// so neither e_i nor any gain is ever formed: every gain is P_0 E y with P_0 = S_0^-1 and some y, and a step needs
/// only a few products of the sparse vectors with one another and with U and V. Products with earlier traces follow the
/// recursion: d_i.D^-1 e_j = c_j (d_i.D^-1 e_{j-1}) + d_i.D^-1 a_j, the last from the rows that d_i and a_j share.
/// `RankOneBlock` does the rest.
///
/// A vector w that takes steps along gains is w_0 + P_0 E y, with y accumulated.
///
/// O(nonzeros (k + m) + k^2 + m^2) per sample. Nothing is allocated after construction.
class SparseSamples final : public GatheredSamples {
 public:
  explicit SparseSamples(const DiagonalPlusLowRank& S);

  /// Forgets all samples. The next one continues the trace of S.
  void begin(const DiagonalPlusLowRank& S);

  /// False when a sample with this many entries does not fit: absorb first.
  bool has_room(std::size_t entries) const;

  /// Eliminates the sample e = c e + a, d. It has no effect until `keep` or `leave_out`, one of which must follow.
  /// Unless `all` products of the gain are wanted, e.s and s.D s are left out; this must not change within a block.
  GainProducts push(const DiagonalPlusLowRank& S, double c, const SparseRows& a, const SparseRows& d, bool all = true);

  /// d.(w - w_0) for the sample just pushed.
  double change_along_d() const;

  /// Keeps the sample; e_at_d is e at the rows of d.
  void keep(const SparseRows& d, const double* e_at_d);

  /// Keeps the trace but not the sample: S stays as it was.
  void leave_out();

  /// w += step s, s being the gain of the sample just kept.
  void follow(double step);

  /// Returns w - w_0 at a row, with what S has postponed; adds it to w at rows that are up to date. U has its first n
  /// columns in use.
  double change(const DiagonalPlusLowRank& S, std::size_t row) const;
  void add_change(const DiagonalPlusLowRank& S, const RowTile& tile, std::size_t n, double* w) const;

  std::size_t count() const override { return block_.size(); }
  Products products() const override {
    return {table_.ee.data(), table_.dd.data(), table_.Ue.data(), table_.Vd.data(), span_, width_};
  }
  void prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) override;
  void add(const RowTile& tile, double* E_left, double* Delta_right, std::size_t stride) const override;
  void diagonal(const RowTile& tile, double* sums) const override;
  std::optional<Rest> rest() const override;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.block_, self.samples_, self.entries_, self.rows_);
    auto& e = self.latest_;
    auto& table = self.table_;
    auto& gains = self.gains_;
    auto& change = self.change_;
    visit.fixed(e.Ue, e.Ue_weighted, e.h, e.de_weighted, table.ee, table.dd, table.ee_weighted, table.Ue, table.Vd);
    visit.fixed(table.h, table.Ud_weighted, gains.y, gains.q, gains.Us, change.steps, change.y, change.q, change.eta);
    visit(change.base_eta);
    if constexpr (!std::is_const_v<Self>) self.clear_beyond_diagonal();
    visit.require([&] { return self.consistent(); });
  }

  /// The rows that the samples touch.
  std::span<const std::uint32_t> touched() const { return rows_.rows(); }

 private:
  bool consistent() const;
  void clear_beyond_diagonal();

  using Entry = sparse_sample_loops::SlotEntry;
  struct Sample {
    std::size_t a, d, end;  // first entries of a and of d, and one past the last
    double c;

    static constexpr auto state() { return std::tuple{&Sample::a, &Sample::d, &Sample::end, &Sample::c}; }
  };

  /// A sparse vector of the sample being pushed, as the loops need it.
  struct List {
    explicit List(std::size_t capacity) : histories(capacity), weighted(capacity) {}
    CappedVector<const double*> histories;  // of the rows of the entries
    CappedVector<double> weighted;          // values / D
    double base = 0;                        // product with the trace at the start
    double base_weighted = 0;               // the same with D^-1 between
  };

  /// Products of e, the latest trace.
  struct LatestTrace {
    LatestTrace(std::size_t span, std::size_t width) : Ue(width), Ue_weighted(width), h(width), de_weighted(span) {}
    std::vector<double> Ue;           // U^T e
    std::vector<double> Ue_weighted;  // U^T D^-1 e
    std::vector<double> h;            // H V^T D^-1 e, so that P_0 e = D^-1 (e - U h)
    std::vector<double> de_weighted;  // d_j.D^-1 e for every sample j
  };

  /// Products of all samples.
  struct Table {
    Table(std::size_t span, std::size_t width);
    std::vector<double> ee;           // E^T E
    std::vector<double> dd;           // Delta^T Delta
    std::vector<double> ee_weighted;  // E^T D^-1 E, up to the diagonal, with zeros up to a multiple of eight
    std::vector<double> Ue, Vd;       // U^T e_i and V^T d_i, one row per sample
    std::vector<double> h;            // H V^T D^-1 e_i, one column per sample
    std::vector<double> Ud_weighted;  // U^T D^-1 d_i, one column per sample
  };

  /// Gain i is P_0 E y = D^-1 (E y - U q) with row i of these.
  struct Gains {
    Gains(std::size_t span, std::size_t width) : y(span * span), q(span * width), Us(span * width) {}
    std::vector<double> y;
    std::vector<double> q;   // H V^T D^-1 E y
    std::vector<double> Us;  // U^T D^-1 E y
  };

  /// w - w_0 = D^-1 (E y - U q), with E y = e_{-1} base_eta + sum_j a_j eta_j, e_{-1} being the trace at the start.
  struct Change {
    Change(std::size_t span, std::size_t width) : steps(span), y(span), q(width), eta(span) {}
    std::vector<double> steps;  // along every gain
    std::vector<double> y, q, eta;
    double base_eta = 0;
  };

  void enter(const DiagonalPlusLowRank& S, const SparseRows& x, std::size_t history, List& list);
  void follow_trace(const DiagonalPlusLowRank& S, std::size_t i, double c);
  void move_latest_trace(const DiagonalPlusLowRank& S, std::size_t i, double c);
  GainProducts gain_products(const DiagonalPlusLowRank& S, std::size_t i, double pivot, bool all);

  std::size_t limit_;         // samples
  std::size_t width_;         // of rows of U and V
  std::size_t span_;          // of rows of samples
  std::size_t most_columns_;  // of sums
  RankOneBlock block_;

  CappedVector<Sample> samples_;
  Sample pushed_{};
  CappedVector<Entry> entries_;
  RowHistories rows_;

  List a_, d_;
  sparse_sample_loops::SampleProducts with_samples_;
  sparse_sample_loops::FactorProducts with_factors_;
  LatestTrace latest_;
  Table table_;
  Gains gains_;
  Change change_;
  std::vector<double> work_;

  // What `prepare` found:
  std::size_t columns_ = 0;
  std::size_t sum_stride_ = 0;  // of rows of sums
  bool left_ = false;
  bool right_ = false;
  CappedVector<double> sums_;      // per slot: its row of E left, but for the trace at the start, and of Delta right
  std::vector<double> base_left_;  // E left has, in addition, the trace at the start times this row
};

}  // namespace bellwether
