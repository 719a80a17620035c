#pragma once

#include <bellwether/learners/gradient/gtd.h>

namespace bellwether {

struct GTD2Rule {
  static constexpr const char* name = "gtd2";
  static constexpr Doc doc{
      .summary = "GTD2(lambda): gradient TD that moves only along the estimated expected TD error.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha ((x.v) x - gamma' (1 - lambda') (e.v) x')      lambda' is lambda at the next state
v    += beta (delta e - (x.v) x)                             v.x estimates the expected TD error at x
)",
      .reference =
          "Sutton et al. (2009), Fast gradient-descent methods for temporal-difference learning with linear function "
          "approximation, ICML, doi:10.1145/1553374.1553501",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. Here w learns from v alone, so "
          "with beta = 0 it does not learn at all, and it is usually slower than gtd, whose expected update is the "
          "same once v has converged."};

  using Params = GradientParams;

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<2, Real> e;  // the trace, and w and v, which follow it
    TraceProduct<1, Real> ev;  // e.v

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      return gradient_step(*this, s, 0, [&](const Real& a, const Real&, const Real& xv) { e.add_to(a * xv, s.x); });
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::ev}; }
  };
};

using GTD2 = LinearLearner<GTD2Rule>;

}  // namespace bellwether
