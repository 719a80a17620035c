#pragma once

#include <bellwether/learners/td/true_online_td.h>
#include <bellwether/traces/emphasis.h>

namespace bellwether {

struct TrueOnlineETDRule {
  static constexpr const char* name = "true_online_etd";
  static constexpr Doc doc{
      .summary = "True online emphatic TD(lambda): emphatic TD that equals its own forward view after every step.",
      .detail = R"(
F  = rho_{t-1} gamma F + i ;  M = lambda i + (1 - lambda) F          as in etd
a  = alpha rho M
V  = w.x ; V' = w.x'
e  = rho gamma lambda e + a (1 - rho gamma lambda e.x) x             a dutch trace, with the step size inside
w += (r + gamma' V' - V_old) e + a (V_old - V) x
V_old = V'
)",
      .reference =
          "Sutton (2015), True online emphatic TD(lambda): quick reference and implementation guide, arXiv:1507.07147",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. True online TD with the step size "
          "alpha rho M and the decay rho gamma lambda; its targets are returns whose corrections are weighted by rho. "
          "As with etd, M can be large: alpha M |x|^2 should stay below 1."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.9;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    double interest = 1;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(), std::tuple{interest_field<Params>()});
    }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<1, Real, Real> e;  // the trace, and the weights w that follow it
    Real V_old{};
    Emphasis emphasis;

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const double M = emphasis.next(s, params.interest, s.g);
      return true_online_step(e, V_old, s, s.rho * s.g * s.l, alpha * s.step * s.rho * M).has_value();
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::V_old, &State::emphasis}; }
  };
};

using TrueOnlineETD = LinearLearner<TrueOnlineETDRule>;

}  // namespace bellwether
