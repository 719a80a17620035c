#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/traced_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

template <class Real>
class BasicHTD final : public TracedLearner<BasicHTD<Real>, 2> {
  using Base = TracedLearner<BasicHTD, 2>;
  using Base::bounded, Base::e_, Base::td_error;

 public:
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
          "Hackman (2012), Faster gradient-TD algorithms, MSc thesis, University of Alberta; White, White "
          "(2016), Investigating practical linear temporal difference learning, AAMAS, arXiv:1602.08771",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. With rho = 1 the traces are equal "
          "and v has no part in w. v preconditions with the matrix of the behaviour policy, in the place of the "
          "covariance of the features that gtd uses."};

  using Params = GradientParams;

  BasicHTD(std::size_t dim, const Params& params) : Base(dim), eb_(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.eb_, self.ev_, self.ebv_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const Real alpha = this->alpha(s);
    const Real beta = this->beta(s);
    const Real delta = td_error(s);
    const Real xv = e_.template dot<1>(s.x);
    const Motion m{s.rho * s.g * s.l, s.rho};
    const Motion mb{s.g * s.l, 1};
    if (!bounded(alpha * delta, beta * delta, xv, e_.mass_after(m), eb_.mass_after(mb))) return false;
    e_.move(m, s.x);
    eb_.move(mb, s.x);
    const Real ev = ev_.move(e_, m, e_, m, s.x, xv);
    const Real ebv = ebv_.move(eb_, mb, e_, m, s.x, xv);
    if (!bounded(alpha * (ev - ebv), beta * ebv)) return false;

    const Real h = alpha * (ev - ebv);
    e_.follow(alpha * delta);
    e_.add_to(h, s.x);
    e_.add_to(-h * s.gn, s.xn);

    const std::pair x{-beta * ebv, s.x};
    const std::pair xn{beta * ebv * s.gn, s.xn};
    e_.template follow<1>(beta * delta);
    e_.template add_to<1>(x.first, x.second);
    e_.template add_to<1>(xn.first, xn.second);
    ev_.follow(e_, same<Real>(1), beta * delta, x, xn);
    ebv_.follow(eb_, same<Real>(1), beta * delta, x, xn);
    return true;
  }

 private:
  FollowedTrace<0> eb_;
  TraceProduct<1, Real> ev_;
  TraceProduct<1, Real> ebv_;
  Params params_;
};

using HTD = BasicHTD<double>;

}  // namespace bellwether
