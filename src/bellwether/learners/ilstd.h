#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/support/explicit_weights.h>
#include <bellwether/learners/support/key_sums.h>

namespace bellwether {

class ILSTD final : public ExplicitWeights<ILSTD> {
 public:
  static constexpr const char* name = "ilstd";
  static constexpr Doc doc{
      .summary =
          "Incremental LSTD(lambda): sums LSTD's equations, and moves the few weights whose equations are worst off.",
      .detail = R"(
e   = rho (gamma lambda e + x)                or a replacing, or an emphatic trace
S  += e d^T                                   d = x - gamma' x'
mu += (r - d.w) e                             so that mu = s - S w, s = sum r e
as many times as picks says:
  j    = argmax |mu_j|                        the lowest of equals
  a    = alpha mu_j
  w_j += a,  mu -= a S_.j                     column j of S
)",
      .reference =
          "Geramifard, Bowling, Sutton (2006), Incremental least-squares temporal difference learning, AAAI; with "
          "traces: Geramifard, Bowling, Zinkevich, Sutton (2007), iLSTD: eligibility traces and convergence analysis, "
          "NIPS 19",
      .note =
          "O(d) a pick and O(|e| |d|) for the sums with sparse features; d^2 memory. S grows with the number of "
          "steps, so a constant alpha diverges sooner or later, at about t ~ 1/alpha, and Boyan's schedule unless "
          "alpha (n0 + 1) is small against what an episode adds to S. schedule = harmonic, alpha/(t+1), solves the "
          "mean of the equations instead of their sum and is the safest choice, with alpha near 1. The equations are "
          "not symmetric, so that even solving the one picked exactly may diverge: no rule is known to be safe for "
          "the greedy pick."};

  struct Params {
    double alpha = 0.01;
    double lambda = 0.0;
    Schedule schedule = Schedule::boyan;
    double n0 = 100;
    std::int64_t picks = 1;
    TraceRule trace = TraceRule::accumulating;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(),
                            std::tuple{Field("picks", &Params::picks, at_least(1), "weights that are moved in a step"),
                                       trace_rule_field<Params>()});
    }
  };

  ILSTD(std::size_t dim, const Params& params)
      : ExplicitWeights(dim), params_(checked(name, params)), sums_(dim, params.trace), before_(dim, 0.0) {}

  const Params& params() const { return params_; }

  template <class X>
  bool update(const Transition<X>& s) {
    if (!sums_.add(s, w_.data())) return false;
    before_ = w_;
    const double alpha = params_.alpha * s.step;
    for (std::int64_t n = 0; n < params_.picks; ++n) {
      const std::size_t j = worst();
      const double a = alpha * sums_.b()[j];
      if (a == 0) break;
      w_[j] += a;
      if (!bounded(a, w_[j])) {
        w_ = before_;
        return false;
      }
      kernels::axpy(-a, sums_.column(j), sums_.b().data(), dim());
    }
    return true;
  }

  /// s - S w
  const std::vector<double>& residual() const { return sums_.b(); }

 private:
  std::size_t worst() const {
    const std::vector<double>& mu = sums_.b();
    std::size_t worst = 0;
    for (std::size_t j = 1; j < mu.size(); ++j) {
      if (std::abs(mu[j]) > std::abs(mu[worst])) worst = j;
    }
    return worst;
  }

  Params params_;
  KeySums sums_;
  std::vector<double> before_;
};

}  // namespace bellwether
