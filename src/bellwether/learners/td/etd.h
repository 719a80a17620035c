#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/emphasis.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {

struct ETDRule {
  static constexpr const char* name = "etd";
  static constexpr Doc doc{
      .summary = "Emphatic TD(lambda): off-policy TD made stable by weighing states with a follow-on trace.",
      .detail = R"(
F     = rho_{t-1} gamma F + i                F = i at the start of an episode; i is the interest in the state
M     = lambda i + (1 - lambda) F            the emphasis
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + M x)
w    += alpha delta e

ETD(lambda, beta): beta takes the place of gamma in the line of F only. A smaller beta has less variance and more bias;
beta = 0 is off-policy TD(lambda).
)",
      .reference =
          "Sutton, Mahmood, White (2016), An emphatic approach to the problem of off-policy temporal-difference "
          "learning, JMLR 17(73). beta: Hallak et al. (2016), Generalized emphatic temporal difference learning, AAAI, "
          "arXiv:1509.05172",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. The expected update is stable "
          "under any behaviour policy, but F is a product of ratios: its variance can be huge, even infinite. F grows "
          "to 1/(1-gamma) also on-policy, so alpha has to be smaller than TD's. With lambda = 1 and interest 1 it is "
          "off-policy TD(1)."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    double interest = 1;
    std::optional<double> beta{};

    static constexpr auto fields() {
      return std::tuple_cat(
          linear_fields<Params>(),
          std::tuple{interest_field<Params>(),
                     Field("beta", &Params::beta, unit, "decay of the follow-on trace; auto: the step's discount")});
    }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it
    Emphasis emphasis;

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const double M = emphasis.next(s, params.interest, params.beta.value_or(s.g));
      const Real delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
      const Real a = alpha * s.step * delta;
      const Motion m{s.rho * s.g * s.l, s.rho * M};
      if (!s.allows(a, e.mass_after(m))) return false;
      e.move(m, s.x);
      e.follow(a);
      return true;
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::emphasis}; }
  };
};

using ETD = LinearLearner<ETDRule>;

}  // namespace bellwether
