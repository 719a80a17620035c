#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/inverse/rank_one_block.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>
#include <bellwether/linalg/low_rank/gain.h>

namespace bellwether {

/// A sparse vector by rows of the matrix, each row once.
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
/// so neither e_i nor any gain is ever formed: every gain is P_0 E y, P_0 = S_0^-1, and what a step asks for are a few
/// products of the sparse vectors with one another and with U and V. Those with earlier traces follow the recursion:
/// with tr_j = d_i.D^-1 a_j from the rows that d_i and a_j share, d_i.D^-1 e_j = c_j (d_i.D^-1 e_{j-1}) + tr_j.
/// `RankOneBlock` does the rest.
///
/// A vector w that takes steps along gains is w_0 + P_0 E y, with y accumulated.
///
/// O(nonzeros (k + m) + k^2 + m^2) a sample. Nothing is allocated after construction.
class SparseSamples final : public GatheredSamples {
 public:
  explicit SparseSamples(const DiagonalPlusLowRank& S);

  /// Forgets all samples. `e` is the trace that the next one continues, one number per row of S.
  void begin(const DiagonalPlusLowRank& S, const double* e);

  /// False when a sample with so many entries does not fit: absorb first.
  bool has_room(std::size_t entries) const;

  /// Eliminates the sample e = c e + a, d. Nothing counts until it is kept or left out, which must follow.
  Gain push(const DiagonalPlusLowRank& S, double c, const SparseRows& a, const SparseRows& d);

  /// d.(w - w_0) for the sample just pushed.
  double change_along_d() const;

  /// The sample counts; e_at_d is e at the places of d.
  void keep(const SparseRows& d, const double* e_at_d);

  /// The trace moves on and S stays as it was.
  void leave_out();

  /// w += step s, s being the gain of the sample just kept.
  void follow(double step);

  /// w - w_0 at a row, and at every row, added to w.
  double change(const DiagonalPlusLowRank& S, std::size_t row) const;
  void add_change(const DiagonalPlusLowRank& S, double* w) const;

  std::size_t count() const override { return block_.size(); }
  Products products() const override { return {EE_.data(), DD_.data(), UE_.data(), VD_.data(), span_, width_}; }
  void prepare(const double* left, const double* right, std::size_t stride, std::size_t columns) override;
  void add(std::size_t first, std::size_t rows, double* E_left, double* Delta_right, std::size_t stride) const override;
  void diagonal(std::size_t first, std::size_t rows, double* sums) const override;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.block_, self.base_, self.base_square_, self.base_weighted_, self.samples_, self.entries_);
    visit.fixed(self.slots_);
    visit(self.slot_rows_, self.histories_, self.slot_diagonal_);
    visit.fixed(self.Ue_, self.UDe_, self.p_, self.De_, self.EE_, self.DD_, self.EDE_, self.UE_, self.VD_);
    visit.fixed(self.P_, self.UD_, self.gains_, self.Q_, self.UG_, self.steps_, self.y_, self.q_, self.eta_);
    visit(self.base_eta_);
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  struct Entry {
    std::uint32_t slot;
    double value;

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.slot, self.value);
    }
  };
  struct Sample {
    std::size_t a, d, end;  // first entries of a and of d, and one past the last
    double c;

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.a, self.d, self.end, self.c);
    }
  };

  /// A sparse vector of the sample being pushed, as the loops want it.
  struct List {
    explicit List(std::size_t capacity) : histories(capacity), weighted(capacity) {}
    CappedVector<const double*> histories;  // of the slots of the entries
    CappedVector<double> weighted;          // values / D
    double base = 0;                        // product with the trace at the start
    double base_weighted = 0;               // with D^-1 between
  };

  std::uint32_t slot_of(std::size_t row);
  void enter(const DiagonalPlusLowRank& S, const SparseRows& x, std::size_t history, List& list);
  void follow_trace(std::size_t i, double c);
  double base(std::size_t row) const { return row < base_.size() ? base_[row] : 0.0; }

  std::size_t limit_;       // samples
  std::size_t width_;       // of rows of U and V
  std::size_t span_;        // of rows of samples
  std::size_t sum_stride_;  // of rows of sums
  RankOneBlock block_;

  CappedVector<double> base_;  // the trace at the start
  double base_square_ = 0;     // e.e
  double base_weighted_ = 0;   // e.D^-1 e

  CappedVector<Sample> samples_;
  Sample pushed_{};
  CappedVector<Entry> entries_;
  std::vector<std::uint32_t> slots_;       // of a row in this block, or nowhere
  CappedVector<std::uint32_t> slot_rows_;  // and back
  CappedVector<double> histories_;         // per slot: its entries of a_0, a_1, ... and of d_0, d_1, ...
  CappedVector<double> slot_diagonal_;     // per slot: its entry of the diagonal of E Delta^T
  CappedVector<double> sums_;              // per slot: what `prepare` found for its row of E left and Delta right
  std::vector<double> base_left_;          // what the trace at the start adds to E left
  std::size_t columns_ = 0;
  bool left_ = false;
  bool right_ = false;

  List a_, d_;
  std::vector<double> dDa_, aDd_, aa_, aDa_, dd_;  // products of the new sample with every sample
  std::vector<double> Ua_, UDa_, VDa_, UDd_, Vd_;  // and with U and V
  std::vector<double> Ue_, UDe_, p_;               // U^T e, U^T D^-1 e and H V^T D^-1 e of the latest trace
  std::vector<double> De_;                         // d_j.D^-1 e of the latest trace
  std::vector<double> EE_, DD_, EDE_;              // products of samples, EDE = E^T D^-1 E
  std::vector<double> UE_, VD_;                    // one row per sample
  std::vector<double> P_, UD_;                     // p and U^T D^-1 d, one column per sample
  std::vector<double> gains_;                      // column i: gain i is P_0 E y with this y
  std::vector<double> Q_, UG_;                     // row i: H V^T D^-1 E y and U^T D^-1 E y of gain i
  std::vector<double> steps_;                      // along every gain
  std::vector<double> y_, q_, eta_;                // w - w_0 = D^-1 (E y - U q), E y = e eta_b + sum a_j eta_j
  double base_eta_ = 0;
  std::vector<double> work_;
};

}  // namespace bellwether
