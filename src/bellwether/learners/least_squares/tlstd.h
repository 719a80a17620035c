#pragma once

#include <optional>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/svd/incremental_svd.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

struct TLSTDRule {
  static constexpr const char* name = "tlstd";
  static constexpr Doc doc{
      .summary = "Truncated LSTD(lambda): least-squares TD from the largest singular values of its matrix.",
      .detail = R"(
e = rho (gamma lambda e + x)                     or the emphatic or replacing trace
A = (1 - beta) A + beta e (x - gamma' x')^T      beta = 1/(t+1)
b = (1 - beta) b + beta r e
w = V diag(1/sigma) U^T b                        A_k = U diag(sigma) V^T

A_k is A truncated to its k = rank largest singular values; it is updated at every step and A itself is never formed.
Singular values below cutoff * sigma_1 are treated as zero, which regularises the solution. With rank >= rank(A) and
cutoff = 0 it is LSTD without regularisation.
)",
      .reference = "Gehring, Pan, White (2016), Incremental truncated LSTD, IJCAI, arXiv:1511.08495",
      .note =
          "O(rank^2) a step and O(d rank^2 + rank^3) once in `rank` steps with sparse features, another O(d rank) a "
          "step with dense ones. No step size, and a bias that a larger rank removes. w is computed on demand, which "
          "costs a singular value decomposition of a matrix of 2 rank rows: ask for predictions in batches."};

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
                "steps between truncations; auto: when as many new directions have appeared as are kept"),
          Field("kept", &Params::kept, at_least(1),
                "singular values kept, at least `rank`, which then limits how many are inverted; auto: rank")};
    }
  };

  struct Head;

  /// The equations S w = s, with S = (t+1) A factored and s = (t+1) b. Everything but how many singular values are
  /// inverted follows from the data, the trace and how many are kept.
  struct System {
    System(std::size_t dim, const Params& params);

    template <class Step, class Heads>
    bool step(const Step& s, const Heads&) {
      const Motion m = mover.next(s);
      const auto d = difference.difference(s.x, s.gn, s.xn);
      const auto e_at = [this](std::size_t j) { return e.trace_at(j); };
      change.with_factor(m, s.x, e_at, [&](double y, const auto& u) { svd.resolve(m.f, y, u, d); });
      const double r = s.r - kernels::dot(d, start.data());
      if (!s.allows(r, e.mass_after(m), svd.magnitude())) return false;
      mover.move(e, m, s.x);
      e.follow(r);
      svd.commit(1, 1);
      ++in_block;
      if (block ? in_block == *block : svd.full()) {
        svd.truncate();
        in_block = 0;
      }
      decomposition.reset();
      return true;
    }

    template <class Heads>
    void assign(std::span<const double> w, const Heads&) {
      start.assign(w.begin(), w.end());
    }

    template <class X>
    double value(const Head& head, const X& x) const {
      std::vector<double> w(start.size());
      read(head, w);
      return kernels::dot(x, w.data());
    }

    /// w = start + S_k^+ s
    void read(const Head& head, std::span<double> w) const;

    /// Decomposes the matrix that every head reads its weights from, until the next step.
    void prepare() {
      if (!decomposition) decomposition = svd.decomposition();
    }

    Settings findings(const Head& head) const;

    /// Exact while the ranks of the two together are no more than is kept; otherwise the sum is truncated to that.
    void merge(Head& head, const System& other, const Head& other_head, double share);

    static constexpr auto state() {
      return std::tuple{&System::e, &System::mover, &System::svd, &System::in_block, &System::start};
    }

    /// The steps until the next truncation have room.
    bool consistent() const {
      const std::int64_t steps = block.value_or(in_block + 1) - in_block;
      return in_block >= 0 && steps > 0 && svd.has_room(static_cast<std::size_t>(steps));
    }

    std::optional<std::int64_t> block;
    TraceMover mover;
    EntryList difference;
    TraceChange change;
    FollowedTrace<1> e;  // followed by s
    IncrementalSvd svd;  // of S
    std::optional<JacobiSvd> decomposition;
    std::vector<double> start;
    std::int64_t in_block = 0;  // steps since the last truncation
  };

  /// What one learner adds: which singular values it inverts.
  struct Head {
    Head(const System& system, const Params& params);

    double cutoff;
    std::size_t most;

    static constexpr auto state() { return std::tuple{}; }
  };

  /// The parameters without those in which settings that share a factorisation may differ.
  static Params in_common(Params params);

  static constexpr bool forms_weights = true;

  static double least_numbers(std::size_t dim, const Params& params) {
    return IncrementalSvd::least_numbers(dim, std::max(params.rank, params.kept.value_or(0)));
  }
};

using TLSTD = LinearLearner<TLSTDRule>;

}  // namespace bellwether
