#pragma once

#include <optional>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/accelerated/replay_window.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/low_rank/dense_samples.h>
#include <bellwether/linalg/low_rank/sparse_samples.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

/// How the low-rank part is compressed to its rank.
enum class Compression : std::uint8_t { fast, exact };
constexpr auto names(Compression) { return std::array{"fast", "exact"}; }

class ATDCompensatedRule {
 public:
  static constexpr const char* name = "atd_compensated";
  static constexpr double smallest_zeta = 1e-50;
  static constexpr double largest_zeta = 1e50;
  static constexpr Doc doc{
      .summary = "Accelerated TD that needs no tuning: least squares with a matrix of low rank plus a diagonal.",
      .detail = R"(
e      = rho (gamma lambda e + x)                        or a replacing or emphatic trace
d      = x - gamma' x'
S     += e d^T                                           stored as S = diag(D) + U V^T, D = zeta at first
s      = S^-1 e                                          (Woodbury)
delta  = r - d.w
f      = 1 / max(1, |d.s|)                               no step removes more than the error
f     *= max(0, e.s / s.D s)   where s.D s > e.s         no step where U V^T acts negatively
w     += f delta s

Every `block` samples U V^T is compressed to its rank, and the diagonal of what is dropped is added to D, so that at least
its effect on each single feature is kept. Then all weights take one step towards the least-squares solution of the last
`replay` samples, preconditioned by S; it is taken back if the next samples show that it did harm.

With rank >= d nothing is dropped, f = 1, and for a given zeta this is LSTD with inverse_init = 1/zeta. With rank 0 and
no compensation it is TD with the implicit step (1/zeta) / (1 + d.e/zeta).
)",
      .reference =
          "After Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, "
          "arXiv:1611.09328, whose preconditioner it replaces",
      .note =
          "With sparse features a step costs O(active (rank + block) + block^2), and a renewal, once in `block` "
          "steps, O(seen rank^2 + active replay) for the features seen so far. From 4096 of them on, it costs "
          "O(rank^2) for those that occurred in the block and for a sixtieth of the others; the others follow when "
          "they "
          "next occur, and replay changes only the weights of features in its samples. With dense features a step "
          "costs O(d (rank + block)). Memory O(rank) for every feature seen. Start here: the defaults are meant to be "
          "left alone. With rank = auto, S is exact for up to 128 features, as with rank = d; with more, the rank "
          "grows from 10 to at "
          "most 30 while the largest singular value dropped exceeds a twentieth of the largest. compensate = false is "
          "for "
          "comparison only: its "
          "weights can grow without bound. Where d is a few hundred, lstd or rank = d learns more in the long run, "
          "above all with one feature per state."};

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
          Field("rank", &Params::rank, between(0, 1e5), "rank of U V^T; auto: d up to 128 features, else 10 to 30"),
          lambda_field<Params>(),
          trace_rule_field<Params>(),
          Field("zeta", &Params::zeta, at_least(smallest_zeta),
                "initial D, the inverse of the first step size; auto: 0.1 mean |x|^2"),
          Field("compensate", &Params::compensate, "whether the diagonal of what truncation drops is kept"),
          Field("replay", &Params::replay, between(0, 1e8), "samples replayed at every renewal of U V^T; 0: off"),
          Field("block", &Params::block, between(1, 2000),
                "samples between renewals of U V^T; auto: depends on the rank and the features seen"),
          Field("compression", &Params::compression,
                "how U is computed: two iterations from the last one, or exactly")};
    }
  };

  ATDCompensatedRule(std::size_t dim, const Params& params);

  template <class X>
  bool update(const Transition<X>& s);
  template <class X>
  double value(const X& x) const;
  void read(std::span<double> w) const;
  void assign(std::span<const double> w);
  Settings findings() const;
  const DiagonalPlusLowRank& matrix() const { return S_; }

  /// The matrices add up, and are truncated and compensated as usual. The weights are
  ///
  ///   w = m + S^-1 (S_1 (w_1 - m) + S_2 (w_2 - m))      m the mean of both by the diagonals of S_1 and S_2
  ///
  /// and replay starts again. Exact with rank >= d and a given zeta.
  void merge(const ATDCompensatedRule& other);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.mover_, self.e_, self.S_, self.sparse_, self.dense_samples_, self.replay_, self.dense_);
    visit.fixed(self.rows_);
    visit(self.features_, self.w_, self.start_, self.row_e_, self.row_a_, self.row_d_);
    visit(self.squares_, self.seen_, self.since_replay_, self.left_out_);
    visit.require([&] { return self.consistent(); });
  }

 private:
  /// With rank >= d nothing is ever dropped, so neither the limits of a step nor replay are needed.
  bool exact() const { return S_.shape().rank == dim_; }

  struct SparseRenewal;

  bool consistent() const;

  std::uint32_t row_of(std::size_t feature);
  std::size_t block_size() const;
  double estimated_zeta() const;
  double step(const GainProducts& gain, double delta) const;
  template <class X>
  bool update_sparse(const Transition<X>& s, Motion m);
  bool update_dense(const Transition<DenseView>& s, Motion m);
  std::size_t gathered() const { return dense_ ? dense_samples_.count() : sparse_.count(); }
  void begin_sparse();
  void absorb_dense_samples();
  void add_matrix(const DiagonalPlusLowRank& S, const std::vector<std::uint32_t>& rows);
  void take_up_samples(bool complete);
  void renew(bool complete = false);
  void renew_when_due();
  void use_layout(bool dense);

  std::size_t dim_;
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

  std::vector<std::uint32_t> rows_;       // of every feature, or `no_row`
  CappedVector<std::uint32_t> features_;  // of every row
  CappedVector<double> w_;                // by row: the weights at the start of the block; the current ones if dense
  CappedVector<double> start_;            // by row: the weights that learning started from
  CappedVector<double> row_e_, row_a_, row_d_;  // by row, scratch
  CappedVector<std::uint32_t> a_rows_, d_rows_;
  CappedVector<double> a_values_, e_at_d_;

  double squares_ = 0;  // sum of |x|^2
  double seen_ = 0;
  std::size_t since_replay_ = 0;  // samples
  std::uint64_t left_out_ = 0;
};

using ATDCompensated = LinearLearner<ATDCompensatedRule>;

}  // namespace bellwether
