#pragma once

#include <optional>

#include <bellwether/core/registry.h>
#include <bellwether/learners/sharing/roster.h>
#include <bellwether/learners/traced_learner.h>
#include <bellwether/learners/weights_on_demand.h>
#include <bellwether/linalg/svd/incremental_svd.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

class TLSTD final : public TracedLearner<TLSTD, 1, WeightsOnDemand<TLSTD>> {
 public:
  static constexpr const char* name = "tlstd";
  static constexpr Doc doc{
      .summary = "Truncated LSTD(lambda): least-squares TD from the largest singular values of its matrix.",
      .detail = R"(
e = rho (gamma lambda e + x)                     or the emphatic or replacing trace
A = (1 - beta) A + beta e (x - gamma' x')^T      beta = 1/(t+1)
b = (1 - beta) b + beta r e
w = V diag(1/sigma) U^T b                        A_k = U diag(sigma) V^T

A_k is A cut to its k = rank largest singular values, kept up to date step by step, never formed. Singular values below
cutoff * sigma_1 are taken as zero, which regularises the solution. With rank >= rank(A) and cutoff = 0 it is LSTD
without regularisation.
)",
      .reference = "Gehring, Pan, White (2016), Incremental truncated LSTD, IJCAI, arXiv:1511.08495",
      .note =
          "O(rank^2) a step and O(d rank^2 + rank^3) once in `rank` steps with sparse features, O(d rank) more a "
          "step with dense ones. No step size, and a bias that a larger rank takes away. w is computed when it is "
          "asked for, which costs a singular value decomposition of a matrix of 2 rank rows: ask for predictions in "
          "batches."};

  struct Params {
    std::int64_t rank = 50;
    double cutoff = 0.01;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    std::optional<std::int64_t> block{};
    std::optional<std::int64_t> kept{};

    static constexpr auto fields() {
      return std::tuple{
          Field("rank", &Params::rank, at_least(1), "singular values kept and inverted; more than d means d"),
          Field("cutoff", &Params::cutoff, Range{0, 1, false, true}, "smallest sigma / sigma_1 that is inverted"),
          lambda_field<Params>(),
          trace_rule_field<Params>(),
          Field("block", &Params::block, at_least(1),
                "steps between truncations; auto: when as many new directions have come up as are kept"),
          Field("kept", &Params::kept, at_least(1),
                "singular values kept, no less than `rank`, which then is how many are inverted at most; auto: rank")};
    }
  };

  TLSTD(std::size_t dim, const Params& params) : TLSTD(std::vector{params}, dim) {}

  /// Several that learn as one and solve each with its own cut-off and rank: see Together.
  TLSTD(const std::vector<Params>& members, std::size_t dim);
  static Params in_common(Params params);
  const Roster& roster() const { return roster_; }

  const Params& params() const { return members_.front(); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    TracedLearner::state(self, visit);
    visit(self.mover_, self.svd_, self.in_block_);
    visit.fixed(self.start_);
  }

  Settings findings() const override { return findings(0); }
  Settings findings(std::size_t member) const;

  /// Exact while the ranks of the two together are no more than is kept; otherwise the sum is cut to that.
  void merge(const TLSTD& other);

  template <class X>
  bool update(const Transition<X>& s) {
    const Motion m = mover_.next(s);
    const auto d = difference_.difference(s.x, s.gn, s.xn);
    const auto e = [this](std::size_t j) { return e_.trace_at(j); };
    change_.with_factor(m, s.x, e, [&](double y, const auto& u) { svd_.resolve(m.f, y, u, d); });
    const double r = s.r - kernels::dot(d, start_.data());
    if (!bounded(r, e_.mass_after(m), svd_.magnitude())) return false;
    mover_.move(e_, m, s.x);
    e_.follow(r);
    svd_.commit(1, 1);
    ++in_block_;
    if (params().block ? in_block_ == *params().block : svd_.full()) {
      svd_.truncate();
      in_block_ = 0;
    }
    decomposition_.reset();
    return true;
  }

  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, weights().data());
  }
  void read(std::span<double> w) const { read(0, w); }
  void read(std::size_t member, std::span<double> w) const;
  void assign(std::span<const double> w) { start_.assign(w.begin(), w.end()); }

  /// Decomposes what all members read from, until the next step.
  void prepare() {
    if (!decomposition_) decomposition_ = svd_.decomposition();
  }

 private:
  Roster roster_;
  std::vector<Params> members_;
  TraceMover mover_;
  EntryList difference_;
  TraceChange change_;
  IncrementalSvd svd_;  // of (t+1) A; the trace is followed by (t+1) b
  std::optional<JacobiSvd> decomposition_;
  std::vector<double> start_;
  std::int64_t in_block_ = 0;
};

}  // namespace bellwether
