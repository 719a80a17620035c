#pragma once

#include <bellwether/learners/traced_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

/// What GTD, GTD2 and TDRC share. Beside w they keep v, the place 1 of the trace, with v.x an estimate of the expected
/// TD error:
///
///   e  = rho (gamma lambda e + x)
///   w += alpha (u - gamma' (1 - lambda') (e.v) x')
///   v += beta (delta e - (x.v) x - kappa v)
///
/// u, the direction of w before its correction, is delta e unless the learner says otherwise; kappa is 0 unless the
/// learner has it. All is computed from w and v as they were before the step.
template <class Derived>
class GradientLearner : public TracedLearner<Derived, 2> {
 public:
  using Real = RealOf<Derived>;

  template <class X>
  bool update(const Transition<X>& s) {
    auto& self = static_cast<Derived&>(*this);
    const auto& params = self.params();
    const Real alpha = this->alpha(s);
    const Real beta = this->beta(s);
    const Real delta = this->td_error(s);
    const Real xv = e_.template dot<1>(s.x);
    const Motion m{s.rho * s.g * s.l, s.rho};
    if (!this->bounded(delta, alpha * delta, beta * delta, alpha * xv, beta * xv, e_.mass_after(m))) return false;
    e_.move(m, s.x);
    const Real ev = ev_.move(e_, m, e_, m, s.x, xv);
    if (!this->bounded(ev, alpha * ev)) return false;

    self.add_direction(s.x, alpha, delta, xv);
    e_.add_to(-alpha * s.gn * (1 - s.ln) * ev, s.xn);

    Real k = same<Real>(1);
    if constexpr (requires { params.kappa; }) {
      k -= beta * params.kappa;
      e_.template scale<1>(k);
    }
    e_.template follow<1>(beta * delta);
    e_.template add_to<1>(-beta * xv, s.x);
    ev_.follow(e_, k, beta * delta, std::pair{-beta * xv, s.x});
    return true;
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    TracedLearner<Derived, 2>::state(self, visit);
    visit(self.ev_);
  }

 protected:
  using TracedLearner<Derived, 2>::TracedLearner;
  using TracedLearner<Derived, 2>::e_;

  /// w += alpha u
  template <class X>
  void add_direction(const X&, const Real& alpha, const Real& delta, const Real&) {
    e_.follow(alpha * delta);
  }

 private:
  TraceProduct<1, Real> ev_;
};

}  // namespace bellwether
