#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

struct ImplicitTDRule {
  static constexpr const char* name = "implicit_td";
  static constexpr Doc doc{
      .summary =
          "Implicit TD(lambda): TD whose step size shrinks with the length of the trace, so that it cannot overshoot.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha / (1 + alpha |e|^2) delta e

This is the solution w* of w* = w + alpha (delta - e.(w* - w)) e: the error is corrected by what the step itself changes.
)",
      .reference = "Tamar, Toulis, Mannor, Airoldi (2014), Implicit temporal differences, arXiv:1412.6734",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. A large alpha makes normalised "
          "steps 1 / |e|^2 instead of a divergence, which forgives a careless choice; a small one is TD(lambda)."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;

    static constexpr auto fields() { return linear_fields<Params>(); }
  };

  template <class Real>
  struct State {
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it
    double ee = 0;             // e.e

    State(std::size_t dim, const Params& p) : alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const Real a = alpha * s.step;
      const Real delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
      const Motion m{s.rho * s.g * s.l, s.rho};
      if (!s.allows(delta, e.mass_after(m))) return false;
      e.move(m, s.x);
      ee = e.fresh() ? e.squared_norm() : moved_product(ee, e, m, e, m, s.x);
      e.follow(a / (1 + a * ee) * delta);
      return true;
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::ee}; }
  };
};

using ImplicitTD = LinearLearner<ImplicitTDRule>;

}  // namespace bellwether
