#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

/// The step of gtd, gtd2 and tdrc, whose second weights v estimate the expected TD error at x by v.x:
///
///   e  = rho (gamma lambda e + x)
///   w += alpha (u - gamma' (1 - lambda') (e.v) x')
///   v += beta (delta e - (x.v) x - kappa v)
///
/// They differ in kappa and in u: `add_direction(alpha, delta, x.v)` does w += alpha u. Everything is computed from w
/// and v as they were before the step.
template <class State, class Step, class AddDirection>
bool gradient_step(State& self, const Step& s, double kappa, AddDirection&& add_direction) {
  auto& e = self.e;
  const auto alpha = self.alpha * s.step;
  const auto beta = second_step(self.params, self.alpha) * s.step;
  const auto delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
  const auto xv = e.template dot<1>(s.x);
  const Motion m{s.rho * s.g * s.l, s.rho};
  if (!s.allows(delta, alpha * delta, beta * delta, alpha * xv, beta * xv, e.mass_after(m))) return false;
  e.move(m, s.x);
  const auto ev = self.ev.move(e, m, e, m, s.x, xv);
  if (!s.allows(ev, alpha * ev)) return false;

  add_direction(alpha, delta, xv);
  e.add_to(-alpha * s.gn * (1 - s.ln) * ev, s.xn);

  const auto k = 1 - beta * kappa;
  if (kappa != 0) e.template scale<1>(k);
  e.template follow<1>(beta * delta);
  e.template add_to<1>(-beta * xv, s.x);
  self.ev.follow(e, k, beta * delta, std::pair{-beta * xv, s.x});
  return true;
}

struct GTDRule {
  static constexpr const char* name = "gtd";
  static constexpr Doc doc{
      .summary = "GTD(lambda), also called TDC(lambda): TD with a gradient correction that makes it stable off-policy.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha (delta e - gamma' (1 - lambda') (e.v) x')      lambda' is lambda at the next state
v    += beta (delta e - (x.v) x)                             v.x estimates the expected TD error at x
)",
      .reference =
          "Sutton et al. (2009), Fast gradient-descent methods for temporal-difference learning with linear function "
          "approximation, ICML, doi:10.1145/1553374.1553501; traces: Maei (2011), Gradient temporal-difference "
          "learning algorithms, PhD thesis, University of Alberta",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. It descends the mean squared "
          "projected Bellman error for any behaviour policy, if beta is large enough against alpha; tdrc removes that "
          "choice. With beta = 0, or with lambda = 1, w is that of off-policy TD."};

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
      return gradient_step(*this, s, 0, [this](const Real& a, const Real& delta, const Real&) { e.follow(a * delta); });
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::ev}; }
  };
};

using GTD = LinearLearner<GTDRule>;

}  // namespace bellwether
