#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bellwether/core/state.h>
#include <bellwether/linalg/dense/capped_vector.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>
#include <bellwether/linalg/low_rank/sparse_samples.h>

namespace bellwether {

/// The last N samples of a least-squares learner, which take a step of the weights towards the solution of
///
///   sum_i e_i (r_i - d_i.w) = zeta (w - w_start)
///
/// With the residual q of this equation and the learner's approximate inverse B the step is
///
///   p = B q;   y = S p;   w += (y.q / y.y) p          S = sum_i e_i d_i^T + zeta I
///
/// the one along p that leaves the smallest residual. It is shortened where it would overshoot or where U V^T acts
/// negatively on p, as for single samples. Traces obey e_i = c_i e_{i-1} + a_i, so a sum over samples is one backward
/// pass, and no trace is formed: sum_i e_i v_i = sum_j a_j g_j with g_j = v_j + c_{j+1} g_{j+1}.
///
/// Off-policy, or with traces longer than the window, such a step can still do harm. So it is on probation until the
/// next one: the lambda-returns of the samples between the two have errors sum_{i>=j} (c_{j+1} .. c_i) delta_i. If the
/// sum of their squares is more than 1.5 times the sum with the weights before the step, those weights are restored,
/// and the next steps are skipped, twice as many each time.
///
/// Samples older than the window are represented by their residual, which is updated when w changes, with the learner's
/// own approximation of S in proportion to their number. O(entries of the window + rows k) a step; nothing is allocated
/// after construction.
///
/// Where S postpones renewals there are many rows, and a step changes only those that the window's samples or the trace
/// before them touch: p is zero elsewhere, and q is taken to be zero. The residual of a row that is not among them
/// stays as it is, but for the change of its own weight.
class ReplayWindow {
 public:
  ReplayWindow(const DiagonalPlusLowRank& S, std::size_t samples);

  /// The least number of samples between two steps: fewer could not tell whether the first one did any good.
  static constexpr std::size_t spacing = 24;

  bool enabled() const { return limit_ > 0; }

  /// Steps that did harm and were taken back.
  std::size_t taken_back() const { return taken_back_; }

  /// Whether there is room for a sample with this many numbers.
  bool has_room(std::size_t numbers) const;

  /// Adds the next sample; delta = r - d.w, with w before it was learned from; `start` is the weights after the last
  /// call of `improve`, at the rows of d. The dense form has one number per row of S.
  void add(double c, const SparseRows& a, const SparseRows& d, double r, double delta, const double* start);
  void add(double c, std::span<const double> a, std::span<const double> d, double r, double delta);

  /// Treats all samples so far as older than the window: `count` of them, with this trace and this residual at the
  /// weights w, one number per row of S.
  void begin_after(double count, std::span<const double> trace, std::span<const double> residual,
                   std::span<const double> w);

  /// Takes a step of the weights w, one per row of S; learning started from the weights `start`. S contains all samples
  /// added. If the samples added since the last step show that it did harm, it is taken back first. `dense`: the next
  /// samples will be dense; all rows of S are up to date then.
  void improve(DiagonalPlusLowRank& S, double* w, const double* start, bool dense);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.samples_, self.first_, self.rows_, self.values_, self.evicted_count_);
    visit(self.tail_, self.evicted_, self.w_, self.before_, self.errors_, self.errors_before_);
    visit(self.pause_, self.next_pause_, self.taken_back_, self.probation_, self.counted_, self.uses_, self.listed_);
    visit(self.saved_some_, self.saved_, self.saved_in_, self.steps_);
    visit.require([&] { return self.samples_are_consistent() && self.lists_are_consistent(); });
  }

  /// Whether a state that was read belongs to a matrix of so many rows.
  bool fits(std::size_t rows) const;

 private:
  struct Sample {
    std::size_t begin;   // of its values, those of a before those of d
    std::size_t rows;    // of its row numbers
    std::uint32_t a, d;  // how many values
    bool dense;          // no row numbers: value i belongs to row i
    double c, r;

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.begin, self.rows, self.a, self.d, self.dense, self.c, self.r);
    }
  };

  bool samples_are_consistent() const;
  bool lists_are_consistent() const;
  void watch(double error, double error_before);
  double squared_returns(const CappedVector<double>& errors) const;
  void judge(DiagonalPlusLowRank& S, double* w);
  void count(const Sample& s, bool enters);
  void use(std::uint32_t row);
  void save(const RowTile& tile, const double* w, std::size_t n);
  RowTile touched_rows(DiagonalPlusLowRank& S, double* w, bool dense);
  double dot_d(const Sample& s, const double* v) const;
  void add_a(const Sample& s, double f, double* v) const;
  template <class Value>
  void sum_backwards(const RowTile& tile, std::size_t first, std::size_t last, Value&& value, double* sum) const;
  void evict(const RowTile& tile, const double* w);
  void resize(std::size_t rows);

  std::size_t limit_;
  CappedVector<Sample> samples_;  // those before first_ have left the window
  std::size_t first_ = 0;
  CappedVector<std::uint32_t> rows_;
  CappedVector<double> values_;
  double evicted_count_ = 0;
  CappedVector<double> tail_;     // the trace before the first sample of the window
  CappedVector<double> evicted_;  // the residual of the samples that have left
  CappedVector<double> w_;        // the weights after the last step
  CappedVector<double> q_, p_, y_, Sp_, small_;

  // With many rows:
  bool counted_ = false;                // whether these are in use
  CappedVector<std::uint32_t> uses_;    // by row: 0 if it is not listed, otherwise 1 + the samples that touch it
  CappedVector<std::uint32_t> listed_;  // rows that samples or the tail touch

  bool probation_ = false;       // whether the last step is on probation
  CappedVector<double> before_;  // the weights before it
  bool saved_some_ = false;      // not at all rows, but at these:
  CappedVector<std::uint32_t> saved_;
  CappedVector<std::uint32_t> saved_in_;  // by row: the last step before which its weight was saved
  std::uint32_t steps_ = 0;
  CappedVector<double> errors_;         // delta of every sample since that step
  CappedVector<double> errors_before_;  // the same with the weights before it
  std::size_t pause_ = 0;               // steps still to be skipped
  std::size_t next_pause_ = 1;
  std::size_t taken_back_ = 0;
};

}  // namespace bellwether
