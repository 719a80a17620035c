#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/svd/incremental_svd.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

struct ATDRule {
  static constexpr const char* name = "atd";
  static constexpr Doc doc{
      .summary = "Accelerated gradient TD(lambda): TD steps preconditioned by a low-rank LSTD matrix.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)                     or the emphatic or replacing trace
A     = (1 - beta) A + beta e (x - gamma' x')^T      beta = 1/(t+1): the mean over all steps, LSTD's matrix
w    += alpha0 beta delta A_k^+ e + eta delta e

A_k = U diag(sigma) V^T is A truncated to its k = rank largest singular values; it is updated at every step and A itself
is never formed.
The pseudo-inverse A_k^+ takes a full least-squares step where the data have curvature and leaves the rest to TD with
step size eta: rank = 0 is TD (emphatic: ETD), rank = d with eta = 0 is LSTD solved step by step.
Singular values below cutoff * sigma_1 are not inverted: they are mostly noise, and their inverses are large.
A fixed point is one of TD, whatever the rank: a low rank costs speed, not bias.
)",
      .reference =
          "Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, arXiv:1611.09328",
      .note =
          "O(rank^3) a step and O(d rank^2) once in `rank` steps with sparse features, another O(d rank) a step with "
          "dense ones. Between truncations up to 2 rank - 1 directions are kept and used, unless cap_rank. The "
          "published update has no cutoff; the authors' code uses 0.01. eta is safe below (2 - alpha0) / "
          "lambda_max(A), and hardly matters while the rank captures the spectrum; where it does not, the rest learns "
          "at TD's pace. Off-policy use trace = emphatic, as A may be indefinite otherwise. batch > 1 brings U and V "
          "up to date only once in that many steps; w still learns from every one, though not in directions that are "
          "new since, which costs accuracy. With `kept` = 2 rank, for example, fewer directions are lost between "
          "truncations, and in a sweep settings of different ranks with the same `kept` are learned together for the "
          "price of one."};

  struct Params {
    std::int64_t rank = 50;
    double eta = 1e-3;
    double cutoff = 0.01;
    double alpha0 = 1;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    bool cap_rank = false;
    std::int64_t batch = 1;
    std::optional<std::int64_t> kept{};

    static constexpr auto fields() {
      return std::tuple{
          Field("rank", &Params::rank, at_least(0), "singular values kept and inverted; more than d means d"),
          StepSizeField("eta", &Params::eta, non_negative, "step size of the TD part"),
          Field("cutoff", &Params::cutoff, Range{0, 1, false, true}, "smallest sigma / sigma_1 that is inverted"),
          Field("alpha0", &Params::alpha0, non_negative, "step size of the least-squares part, times 1/(t+1)"),
          lambda_field<Params>(),
          trace_rule_field<Params>(),
          Field("cap_rank", &Params::cap_rank, "invert at most `rank` singular values between truncations too"),
          Field("batch", &Params::batch, at_least(1), "steps between updates of U and V"),
          Field("kept", &Params::kept, at_least(1),
                "singular values kept, at least `rank`, which then limits how many are inverted; auto: rank")};
    }
  };

  struct Head;

  /// The factorisation, which follows from the data, the trace and how many singular values are kept. It is that of the
  /// sum S = (t+1) A instead of the mean: beta A^+ = S^+, and nothing has to be rescaled as t grows.
  struct System {
    System(std::size_t dim, const Params& params);

    template <class Step, class Heads>
    bool step(const Step& s, const Heads& heads) {
      const FollowedTrace<1>& e = heads.first().w;  // every head has an equal copy of the trace
      const Motion m = mover.next(s);
      const double mass = e.mass_after(m);
      if (factors) {
        const auto d = difference.difference(s.x, s.gn, s.xn);
        const auto e_at = [&e](std::size_t j) { return e.trace_at(j); };
        change.with_factor(m, s.x, e_at, [&](double y, const auto& u) { svd.resolve(m.f, y, u, d); });
      }
      const bool any = heads.keep([&](Head& h) {
        // delta = r - d.(w + V g), of which V^T d is known from the factorisation
        h.delta = s.r + s.gn * h.w.dot(s.xn) - h.w.dot(s.x);
        if (factors) h.delta -= kernels::dot(svd.right_coordinates(), h.g.data(), svd.right_size());
        return s.allows(h.eta * h.delta, h.delta, mass);
      });
      if (!any || (factors && !accelerate(s, heads))) return false;
      heads.for_each([&](Head& h) {
        mover.move(h.w, m, s.x);
        h.w.follow(h.eta * h.delta);
      });
      if (factors && truncation_is_due()) {
        heads.for_each([this](Head& h) { settle(h); });
        svd.truncate();
        counts.truncated = counts.factored;
      }
      return true;
    }

    template <class Heads>
    void assign(std::span<const double> w, const Heads& heads) {
      heads.for_each([&](Head& h) { h.w.assign(w); });
    }
    template <class X>
    double value(const Head& head, const X& x) const {
      return head.w.dot(x) + (svd.right_size() == 0 ? 0.0 : svd.dot_right(head.g.data(), x));
    }
    void read(const Head& head, std::span<double> w) const;

    /// How many singular values the last step inverted, the largest and the smallest of them.
    Settings findings(const Head& head) const;

    /// The matrices add up, exactly while their ranks together are no more than is kept. The weights are
    ///
    ///   w = m + S^+ (S_1 (w_1 - m) + S_2 (w_2 - m))        m the mean by steps, S = S_1 + S_2
    ///
    /// a mean weighted by the matrices in the directions they know: exact with rank >= d, alpha0 = 1 and eta = 0.
    void merge(Head& head, const System& other, const Head& other_head, double share);

    static constexpr auto state() { return std::tuple{&System::mover, &System::svd}; }
    bool consistent() const;

    /// The least-squares part of a step: S += e d^T, then w += alpha0 delta S^+ e, where S^+ e = V p. False, with every
    /// w as it was, when no head can take it.
    template <class Step, class Heads>
    bool accelerate(const Step& s, const Heads& heads) {
      if (!s.allows(svd.magnitude())) return false;
      svd.commit(1, 1);
      ++counts.factored;
      // U and V that lag behind hold the sum over fewer steps: alpha0 / (t+1) A^+ with the mean of those.
      double share = 1;
      if (batch > 1) share = static_cast<double>(counts.truncated) / static_cast<double>(counts.factored);
      const std::size_t n = svd.right_size();
      const double* p = nullptr;
      double largest = 0;
      const Head* solved = nullptr;
      return heads.keep([&](Head& h) {
        if (solved == nullptr || solved->solution_key() != h.solution_key()) {
          p = solve(h);
          largest = 0;
          for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(p[i]));
          solved = &h;
        }
        h.used = solved->used;
        const double step = h.alpha0 * h.delta * share;
        if (!s.allows(step, largest, step * largest)) return false;
        kernels::axpy(step, p, h.g.data(), n);
        return true;
      });
    }

    /// p with S^+ e = V p, for the head's cutoff and limit; it holds until the next call.
    const double* solve(Head& head);
    bool truncation_is_due() const;
    void settle(Head& head);

    bool factors;  // false: rank = 0, which is TD
    std::int64_t batch;
    TraceMover mover;
    EntryList difference;
    TraceChange change;
    IncrementalSvd svd;
    std::vector<double> scratch;
    /// Steps in the sum, and how many of them the last truncation has seen.
    struct Counts {
      std::uint64_t factored = 0;
      std::uint64_t truncated = 0;

      static constexpr auto state() { return std::tuple{&Counts::factored, &Counts::truncated}; }
    };
    Counts counts;
  };

  /// What one learner adds.
  struct Head {
    Head(const System& system, const Params& params);

    /// Heads with equal keys have the same p.
    std::pair<double, std::size_t> solution_key() const { return {cutoff, most}; }

    double eta, alpha0, cutoff;
    std::size_t most;             // singular values inverted
    IncrementalSvd::Used used{};  // by the last solution
    FollowedTrace<1> w;           // follows the trace; the weights are w + V g
    std::vector<double> g;
    double delta = 0;

    static constexpr auto state() { return std::tuple{&Head::used, &Head::w, &Head::g}; }
  };

  /// The parameters without those in which settings that share a factorisation may differ.
  static Params in_common(Params params);

  static constexpr bool forms_weights = true;

  static double least_numbers(std::size_t dim, const Params& params) {
    return IncrementalSvd::least_numbers(dim, std::max(params.rank, params.kept.value_or(0)));
  }
};

using ATD = LinearLearner<ATDRule>;

}  // namespace bellwether
