#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/followed_trace.h>
#include <optional>

namespace bellwether {

/// A step of a true online learner, which chooses the decay f and the step size a of its dutch trace:
///
///   e  = f e + a (1 - f e.x) x
///   w += (r + gamma' w.x' - V_old) e + a (V_old - w.x) x          V_old = w.x as it was before the last update
///
/// At the start of an episode e = a x, so V_old cancels: it is taken as w.x, whatever state came before. Returns the TD
/// error, or nothing when the step is not allowed; then nothing has changed.
template <class Real, class Step>
std::optional<Real> true_online_step(FollowedTrace<1, Real, Real>& e, Real& V_old, const Step& s, double f,
                                     const Real& a) {
  const auto [V, ex] = e.dots(s.x);
  const Real Vn = e.dot(s.xn);
  const Real before = s.g == 0 ? V : V_old;
  const Real target = s.r + s.gn * Vn;
  const MotionOf<Real> m{f, a * (1 - f * ex)};
  if (!s.allows(target, V, before, a, e.mass_after(m))) return std::nullopt;
  e.move_and_follow(m, s.x, target - before, a * (before - V));
  V_old = Vn;
  return target - V;
}

struct TrueOnlineTDRule {
  static constexpr const char* name = "true_online_td";
  static constexpr Doc doc{
      .summary = "True online TD(lambda): equal, after every step, to the online lambda-return algorithm it imitates.",
      .detail = R"(
V  = w.x ; V' = w.x'
e  = gamma lambda e + alpha (1 - gamma lambda e.x) x       a dutch trace, with alpha inside
w += (r + gamma' V' - V_old) e + alpha (V_old - V) x
V_old = V'
)",
      .reference = "van Seijen et al. (2016), True online temporal-difference learning, JMLR 17(145)",
      .note = "O(d) per step with dense features, O(active) amortised with sparse ones. On-policy: rho is ignored."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.9;
    Schedule schedule = Schedule::constant;
    double n0 = 100;

    static constexpr auto fields() { return linear_fields<Params>(); }
  };

  template <class Real>
  struct State {
    Real alpha;
    FollowedTrace<1, Real, Real> e;  // the trace, and the weights w that follow it
    Real V_old{};

    State(std::size_t dim, const Params& p) : alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      return true_online_step(e, V_old, s, s.g * s.l, alpha * s.step).has_value();
    }

    static constexpr auto state() { return std::tuple{&State::e, &State::V_old}; }
  };
};

using TrueOnlineTD = LinearLearner<TrueOnlineTDRule>;

}  // namespace bellwether
