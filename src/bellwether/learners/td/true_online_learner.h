#pragma once

#include <optional>

#include <bellwether/learners/traced_learner.h>

namespace bellwether {

/// What true online learners share: a dutch trace, whose decay f and step size a are theirs,
///
///   e  = f e + a (1 - f e.x) x
///   w += (r + gamma' w.x' - V_old) e + a (V_old - w.x) x          V_old = w.x as it was before the last update
///
/// After a discount of zero e = a x, and V_old cancels: it is then taken as w.x, whatever state came before.
template <class Derived>
class TrueOnlineLearner : public TracedLearner<Derived, 1, LinearLearner<Derived>, RealOf<Derived>> {
  using Base = TracedLearner<Derived, 1, LinearLearner<Derived>, RealOf<Derived>>;
  using Real = RealOf<Derived>;

 public:
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.V_old_);
  }

 protected:
  using Base::Base;
  using Base::e_;

  /// The step with f and a. Returns the TD error; nothing, and nothing is changed, when that would leave the range of
  /// finite numbers.
  template <class X>
  std::optional<Real> advance(const Transition<X>& s, double f, const Real& a) {
    const Real V = e_.dot(s.x);
    const Real Vn = e_.dot(s.xn);
    const Real V_old = s.g == 0 ? V : V_old_;
    const Real target = s.r + s.gn * Vn;
    const MotionOf<Real> m{f, a * (1 - f * e_.dot_trace(s.x))};
    if (!this->bounded(target, V, V_old, a, e_.mass_after(m))) return std::nullopt;
    e_.move(m, s.x);
    e_.follow(target - V_old);
    e_.add_to(a * (V_old - V), s.x);
    V_old_ = Vn;
    return target - V;
  }

 private:
  Real V_old_{};
};

}  // namespace bellwether
