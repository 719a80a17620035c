#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/true_online_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

struct TrueOnlineGTDParams {
  double alpha = 0.1;
  double lambda = 0.9;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  std::optional<double> beta{};

  static constexpr auto fields() { return gradient_fields<TrueOnlineGTDParams>(); }
};

template <class Real>
class BasicTrueOnlineGTD final : public TrueOnlineLearner<BasicTrueOnlineGTD<Real>> {
  using Base = TrueOnlineLearner<BasicTrueOnlineGTD>;
  using Base::advance, Base::bounded, Base::e_;

 public:
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
          "O(d) a step with dense features, O(active) amortised with sparse ones; three traces. On-policy with "
          "beta = 0 it is true online TD, with lambda = 0 it is gtd."};

  using Params = TrueOnlineGTDParams;

  BasicTrueOnlineGTD(std::size_t dim, const Params& params)
      : Base(dim), eg_(dim), eh_(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.eg_, self.eh_, self.egv_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const Real alpha = this->alpha(s);
    const Real beta = this->beta(s);
    const Real xv = eh_.dot(s.x);
    const double fh = s.rhop * s.g * s.l;
    const Motion mg{s.rho * s.g * s.l, s.rho};
    const MotionOf<Real> mh{fh, beta * (1 - fh * eh_.dot_trace(s.x))};
    if (!bounded(xv, beta * xv, eg_.mass_after(mg), eh_.mass_after(mh))) return false;
    eg_.move(mg, s.x);
    eh_.move(mh, s.x);
    const Real egv = egv_.move(eg_, mg, eh_, mh, s.x, xv);
    if (!bounded(egv, alpha * egv)) return false;

    const std::optional<Real> delta = advance(s, mg.f, alpha * s.rho);
    if (!delta) return false;
    e_.add_to(-alpha * s.gn * (1 - s.ln) * egv, s.xn);

    eh_.follow(s.rho * *delta);
    eh_.add_to(-beta * xv, s.x);
    egv_.follow(eg_, same<Real>(1), s.rho * *delta, std::pair{-beta * xv, s.x});
    return true;
  }

 private:
  FollowedTrace<0> eg_;
  FollowedTrace<1, Real, Real> eh_;  // followed by v
  TraceProduct<0, Real, Real> egv_;
  Params params_;
};

using TrueOnlineGTD = BasicTrueOnlineGTD<double>;

}  // namespace bellwether
