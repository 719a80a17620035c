#pragma once

#include <bellwether/learners/td/true_online_td.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

struct TrueOnlineGTDRule {
  static constexpr const char* name = "true_online_gtd";
  static constexpr Doc doc{
      .summary = "True online GTD(lambda): true online TD with the gradient correction of gtd.",
      .detail = R"(
delta = r + gamma' w.x' - w.x ;  V = w.x
e     = rho (gamma lambda e + alpha (1 - rho gamma lambda e.x) x)
eg    = rho (gamma lambda eg + x)
eh    = rho_{t-1} gamma lambda eh + beta (1 - rho_{t-1} gamma lambda eh.x) x
w    += delta e + (V - V_old) (e - alpha rho x) - alpha gamma' (1 - lambda') (eg.v) x'
v    += rho delta eh - beta (x.v) x
V_old = w.x' with w as before the update
)",
      .reference = "van Hasselt, Mahmood, Sutton (2014), Off-policy TD(lambda) with a true online equivalence, UAI",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones; three traces. On-policy with beta "
          "= 0 it is true online TD, with lambda = 0 it is gtd."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.9;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    std::optional<double> beta{};

    static constexpr auto fields() { return gradient_fields<Params>(); }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<1, Real, Real> e;  // the dutch trace, and the weights w that follow it
    Real V_old{};
    FollowedTrace<0> eg;              // the trace of the correction
    FollowedTrace<1, Real, Real> eh;  // the trace that v follows
    TraceProduct<0, Real, Real> egv;  // eg.v

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim), eg(dim), eh(dim) {}

    template <class Step>
    bool update(const Step& s) {
      const Real a = alpha * s.step;
      const Real b = second_step(params, alpha) * s.step;
      const Real xv = eh.dot(s.x);
      const double fh = s.rhop * s.g * s.l;
      const Motion mg{s.rho * s.g * s.l, s.rho};
      const MotionOf<Real> mh{fh, b * (1 - fh * eh.dot_trace(s.x))};
      if (!s.allows(xv, b * xv, eg.mass_after(mg), eh.mass_after(mh))) return false;
      eg.move(mg, s.x);
      eh.move(mh, s.x);
      const Real eg_v = egv.move(eg, mg, eh, mh, s.x, xv);
      if (!s.allows(eg_v, a * eg_v)) return false;

      const std::optional<Real> delta = true_online_step(e, V_old, s, mg.f, a * s.rho);
      if (!delta) return false;
      e.add_to(-a * s.gn * (1 - s.ln) * eg_v, s.xn);

      eh.follow(s.rho * *delta);
      eh.add_to(-b * xv, s.x);
      egv.follow(eg, same<Real>(1), s.rho * *delta, std::pair{-b * xv, s.x});
      return true;
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::V_old, &State::eg, &State::eh, &State::egv}; }
  };
};

using TrueOnlineGTD = LinearLearner<TrueOnlineGTDRule>;

}  // namespace bellwether
