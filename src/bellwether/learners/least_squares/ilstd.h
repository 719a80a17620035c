#pragma once

#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/equations/key_sums.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/weight_vector.h>

namespace bellwether {

struct ILSTDRule {
  static constexpr const char* name = "ilstd";
  static constexpr Doc doc{
      .summary =
          "Incremental LSTD(lambda): sums LSTD's equations, and moves the few weights with the largest residuals.",
      .detail = R"(
e   = rho (gamma lambda e + x)                or a replacing or emphatic trace
S  += e d^T                                   d = x - gamma' x'
mu += (r - d.w) e                             so that mu = s - S w, s = sum r e
`picks` times:
  j    = argmax |mu_j|                        the lowest j if several are equal
  a    = alpha mu_j
  w_j += a,  mu -= a S_.j                     column j of S
)",
      .reference =
          "Geramifard, Bowling, Sutton (2006), Incremental least-squares temporal difference learning, AAAI; with "
          "traces: Geramifard, Bowling, Zinkevich, Sutton (2007), iLSTD: eligibility traces and convergence analysis, "
          "NIPS 19",
      .note =
          "O(d) a pick and O(|e| |d|) for the sums with sparse features; d^2 memory. S grows with the number of steps, "
          "so a constant alpha diverges sooner or later, at about t ~ 1/alpha, and so does Boyan's schedule unless "
          "alpha (n0 + 1) is small compared with what an episode adds to S. schedule = harmonic, alpha/(t+1), solves "
          "the mean of the equations instead of their sum and is the safest choice, with alpha near 1. The equations "
          "are not symmetric, so even solving the one that was picked exactly may diverge: no rule is known to be safe "
          "for the greedy pick."};

  struct Params {
    double alpha = 0.01;
    double lambda = 0.0;
    Schedule schedule = Schedule::boyan;
    double n0 = 100;
    std::int64_t picks = 1;
    TraceRule trace = TraceRule::accumulating;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(),
                            std::tuple{Field("picks", &Params::picks, at_least(1), "weights moved in a step"),
                                       trace_rule_field<Params>()});
    }
  };

  static constexpr Work work = Work::matrix;

  struct Head;

  /// The matrix S, which follows from the data and the trace.
  struct System {
    System(std::size_t dim, const Params& params) : picks(params.picks), sums(dim, params.trace), before(dim) {}

    template <class Step, class Heads>
    bool step(const Step& s, const Heads& heads) {
      const auto find_errors = [&](const auto& d) {
        return heads.keep([&](Head& h) {
          h.error = s.r - h.w.dot(d);
          return s.allows(h.error);
        });
      };
      const auto add_to_residuals = [&](const auto& e) {
        heads.for_each([&](Head& h) { kernels::axpy(h.error, e, h.mu.data()); });
      };
      return sums.add(s, find_errors, add_to_residuals) &&
             heads.keep([&](Head& h) { return move_weights(s, h, h.alpha * s.step); });
    }

    template <class Heads>
    void assign(std::span<const double> w, const Heads& heads) {
      heads.for_each([&](Head& h) { h.w.assign(w); });
    }
    template <class X>
    double value(const Head& head, const X& x) const {
      return head.w.dot(x);
    }
    void read(const Head& head, std::span<double> w) const { head.w.read(w); }
    Settings findings(const Head&) const { return {}; }

    /// The equations add up exactly. The weights are the mean by steps, and the residuals those of that mean:
    ///
    ///   mu = mu_1 + S_1 (w_1 - w) + mu_2 + S_2 (w_2 - w)
    void merge(Head& head, const System& other, const Head& other_head, double share) {
      WeightVector& w = head.w;
      std::vector<double>& mu = head.mu;
      for (std::size_t j = 0; j < w.size(); ++j) {
        const double mean = w[j] + share * (other_head.w[j] - w[j]);
        kernels::axpy(w[j] - mean, sums.column(j), mu.data(), mu.size());
        kernels::axpy(other_head.w[j] - mean, other.sums.column(j), mu.data(), mu.size());
        w[j] = mean;
      }
      kernels::axpy(1.0, other_head.mu.data(), mu.data(), mu.size());
      sums.merge(other.sums);
    }

    static constexpr auto state() { return std::tuple{&System::sums}; }

    /// w_j += a, mu -= a S_.j for the j with the largest |mu_j|, `picks` times.
    template <class Step>
    bool move_weights(const Step& s, Head& h, double alpha) {
      if (picks > 1) before = h.w;
      for (std::int64_t n = 0; n < picks; ++n) {
        const std::size_t j = kernels::largest(h.mu.data(), h.mu.size());
        const double a = alpha * h.mu[j];
        if (a == 0) break;
        if (!s.allows(a, h.w[j] + a)) {
          if (n > 0) h.w = before;
          return false;
        }
        h.w[j] += a;
        kernels::axpy(-a, sums.column(j), h.mu.data(), h.mu.size());
      }
      return true;
    }

    std::int64_t picks;
    KeySums sums;
    WeightVector before;  // the weights before the step, while it may have to be taken back
  };

  /// What one learner adds.
  struct Head {
    Head(const System& system, const Params& params)
        : alpha(params.alpha), w(system.sums.dim()), mu(system.sums.dim()) {}

    double alpha;
    WeightVector w;
    std::vector<double> mu;  // s - S w, the residual
    double error = 0;        // r - d.w

    static constexpr auto state() { return std::tuple{&Head::w, &Head::mu}; }
  };

  /// The parameters without those in which settings that share S may differ.
  static Params in_common(Params params) {
    params.alpha = Params{}.alpha;
    return params;
  }
};

using ILSTD = LinearLearner<ILSTDRule>;

}  // namespace bellwether
