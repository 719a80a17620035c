#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

struct HTDRule {
  static constexpr const char* name = "htd";
  static constexpr Doc doc{
      .summary = "Hybrid TD(lambda): exactly TD(lambda) where the policies agree, gradient TD where they do not.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
eb    = gamma lambda eb + x                                  the trace of the behaviour policy
w    += alpha (delta e + ((e - eb).v) (x - gamma' x'))
v    += beta (delta e - (eb.v) (x - gamma' x'))
)",
      .reference =
          "Hackman (2012), Faster gradient-TD algorithms, MSc thesis, University of Alberta; White, White (2016), "
          "Investigating practical linear temporal difference learning, AAMAS, arXiv:1602.08771",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. With rho = 1 the traces are equal "
          "and v has no part in w. v preconditions with the matrix of the behaviour policy, in the place of the "
          "covariance of the features that gtd uses."};

  using Params = GradientParams;

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<2, Real> e;   // the trace, and w and v, which follow it
    FollowedTrace<0> eb;        // the trace of the behaviour policy
    TraceProduct<1, Real> ev;   // e.v
    TraceProduct<1, Real> ebv;  // eb.v

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim), eb(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const Real a = alpha * s.step;
      const Real b = second_step(params, alpha) * s.step;
      const Real delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
      const Real xv = e.template dot<1>(s.x);
      const Motion m{s.rho * s.g * s.l, s.rho};
      const Motion mb{s.g * s.l, 1};
      if (!s.allows(a * delta, b * delta, xv, e.mass_after(m), eb.mass_after(mb))) return false;
      e.move(m, s.x);
      eb.move(mb, s.x);
      const Real e_v = ev.move(e, m, e, m, s.x, xv);
      const Real eb_v = ebv.move(eb, mb, e, m, s.x, xv);
      if (!s.allows(a * (e_v - eb_v), b * eb_v)) return false;

      const Real h = a * (e_v - eb_v);
      e.follow(a * delta);
      e.add_to(h, s.x);
      e.add_to(-h * s.gn, s.xn);

      const std::pair x{-b * eb_v, s.x};
      const std::pair xn{b * eb_v * s.gn, s.xn};
      e.template follow<1>(b * delta);
      e.template add_to<1>(x.first, x.second);
      e.template add_to<1>(xn.first, xn.second);
      ev.follow(e, same<Real>(1), b * delta, x, xn);
      ebv.follow(eb, same<Real>(1), b * delta, x, xn);
      return true;
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::eb, &State::ev, &State::ebv}; }
  };
};

using HTD = LinearLearner<HTDRule>;

}  // namespace bellwether
