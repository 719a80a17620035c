#pragma once

#include <optional>

#include <bellwether/core/registry.h>
#include <bellwether/learners/accelerated/replay_window.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/low_rank/dense_samples.h>
#include <bellwether/linalg/low_rank/sparse_samples.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

/// How the low-rank part is found when it is renewed.
enum class Compression : std::uint8_t { fast, exact };
constexpr auto names(Compression) { return std::array{"fast", "exact"}; }

class ATDCompensated final : public LinearLearner<ATDCompensated> {
 public:
  static constexpr const char* name = "atd_compensated";
  static constexpr double smallest_zeta = 1e-50;
  static constexpr double largest_zeta = 1e50;
  static constexpr Doc doc{
      .summary = "Accelerated TD that needs no tuning: least squares with a matrix of low rank plus a diagonal.",
      .detail = R"(
e      = rho (gamma lambda e + x)                        or replacing, or emphatic
d      = x - gamma' x'
S     += e d^T                                           kept as S = diag(D) + U V^T, D = zeta at first
s      = S^-1 e                                          (Woodbury)
delta  = r - d.w
f      = 1 / max(1, |d.s|)                               no step takes away more than the error
f     *= max(0, e.s / s.D s)   where s.D s > e.s         no step where U V^T acts negatively
w     += f delta s

Every `block` samples U V^T is brought back to its rank, and the diagonal of what is dropped is added to D: what LSTD
would know of a direction is known at least feature by feature. Then one step of all weights towards the least-squares
solution of the last `replay` samples, preconditioned by S; it is taken back if the next samples speak against it.

With rank >= d nothing is dropped, f = 1, and for a given zeta this is LSTD with inverse_init = 1/zeta. With rank 0 and
no compensation it is TD with the implicit step (1/zeta) / (1 + d.e/zeta).
)",
      .reference =
          "After Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, "
          "arXiv:1611.09328, whose preconditioner it replaces",
      .note =
          "With sparse features a step costs O(active (rank + block) + block^2), and a renewal, once in `block` "
          "steps, O(seen rank^2 + active replay) for the features seen so far; with dense ones O(d (rank + block)) a "
          "step. Memory O(rank) for every feature seen. Start here: the defaults are meant to be left alone. rank = "
          "auto adds rank while what is dropped matters. compensate = false is for comparison: it can grow without "
          "bound. Where d is a few hundred, lstd or rank = d knows more in the long run, most of all with one "
          "feature per state."};

  struct Params {
    std::optional<std::int64_t> rank = 10;
    double lambda = 0.97;
    TraceRule trace = TraceRule::accumulating;
    std::optional<double> zeta{};
    bool compensate = true;
    std::int64_t replay = 1000;
    std::optional<std::int64_t> block{};
    Compression compression = Compression::fast;

    static constexpr auto fields() {
      return std::tuple{
          Field("rank", &Params::rank, between(0, 1e5), "rank of U V^T; auto: as much as matters"),
          lambda_field<Params>(),
          trace_rule_field<Params>(),
          Field("zeta", &Params::zeta, at_least(smallest_zeta),
                "D at first, the inverse of a first step size; auto: 0.1 mean |x|^2"),
          Field("compensate", &Params::compensate, "whether what truncation drops is kept on the diagonal"),
          Field("replay", &Params::replay, between(0, 1e8),
                "samples replayed when the low-rank part is renewed; 0: off"),
          Field("block", &Params::block, between(1, 2000), "samples between renewals of U V^T; auto: by rank"),
          Field("compression", &Params::compression, "how U is found: two iterations from the last one, or exactly")};
    }
  };

  ATDCompensated(std::size_t dim, const Params& params);

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    LinearLearner::state(self, visit);
    visit(self.mover_, self.e_, self.S_, self.sparse_, self.dense_samples_, self.replay_, self.dense_);
    visit.fixed(self.rows_);
    visit(self.features_, self.w_, self.start_, self.row_e_, self.row_a_, self.row_d_);
    visit(self.squares_, self.seen_, self.since_replay_, self.left_out_);
    visit.require(self.features_.size() == self.S_.rows() && self.w_.size() == self.S_.rows() &&
                  self.start_.size() == self.S_.rows());
  }
  Settings findings() const override;

  /// The matrices add up, and are truncated and compensated as at any time. The weights are
  ///
  ///   w = m + S^-1 (S_1 (w_1 - m) + S_2 (w_2 - m))      m the mean of both by the diagonals of S_1 and S_2
  ///
  /// and replay begins anew. Exact with rank >= d and a given zeta.
  void merge(const ATDCompensated& other);

  template <class X>
  bool update(const Transition<X>& s);
  template <class X>
  double value(const X& x) const;
  void read(std::span<double> w) const;
  void assign(std::span<const double> w);

 private:
  /// With as much rank as features nothing is ever dropped: neither guards nor replay have anything to put right.
  bool exact() const { return params_.rank && static_cast<std::size_t>(*params_.rank) >= dim(); }

  std::uint32_t row_of(std::size_t feature);
  std::size_t block_size() const;
  double estimated_zeta() const;
  double step(const GainProducts& gain, double delta) const;
  template <class X>
  bool update_sparse(const Transition<X>& s, Motion m);
  bool update_dense(const Transition<DenseView>& s, Motion m);
  std::size_t gathered() const { return dense_ ? dense_samples_.count() : sparse_.count(); }
  void begin_sparse();
  void add_matrix(const DiagonalPlusLowRank& S, const std::vector<std::uint32_t>& rows);
  void take_up_samples();
  void renew();
  void renew_when_due();
  void use_layout(bool dense);

  Params params_;
  TraceMover mover_;
  FollowedTrace<0> e_;
  EntryList list_;
  TraceChange change_;
  DiagonalPlusLowRank S_;
  SparseSamples sparse_;
  DenseSamples dense_samples_;
  ReplayWindow replay_;
  bool dense_ = false;

  std::vector<std::uint32_t> rows_;             // of a feature, or nowhere
  CappedVector<std::uint32_t> features_;        // and back
  CappedVector<double> w_;                      // by row: the weights when the block began, or with dense features now
  CappedVector<double> start_;                  // by row: the weights that learning began with
  CappedVector<double> row_e_, row_a_, row_d_;  // work space by row
  CappedVector<std::uint32_t> a_rows_, d_rows_;
  CappedVector<double> a_values_, d_values_, e_at_d_;

  double squares_ = 0;  // sum of |x|^2
  double seen_ = 0;
  std::size_t since_replay_ = 0;  // samples
  std::uint64_t left_out_ = 0;
};

}  // namespace bellwether
