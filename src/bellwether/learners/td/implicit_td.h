#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/traced_learner.h>
#include <bellwether/traces/trace_product.h>

namespace bellwether {

struct ImplicitTDParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;

  static constexpr auto fields() { return linear_fields<ImplicitTDParams>(); }
};

template <class Real>
class BasicImplicitTD final : public TracedLearner<BasicImplicitTD<Real>> {
  using Base = TracedLearner<BasicImplicitTD>;
  using Base::bounded, Base::e_, Base::td_error;

 public:
  static constexpr const char* name = "implicit_td";
  static constexpr Doc doc{
      .summary =
          "Implicit TD(lambda): TD whose step size shrinks with the length of the trace, so that it can not overshoot.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha / (1 + alpha |e|^2) delta e

This is the solution w* of w* = w + alpha (delta - e.(w* - w)) e: the error is corrected by what the step itself changes.
)",
      .reference = "Tamar, Toulis, Mannor, Airoldi (2014), Implicit temporal differences, arXiv:1412.6734",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. A large alpha makes normalised "
          "steps 1 / |e|^2 instead of a divergence, which forgives a careless choice; a small one is TD(lambda)."};

  using Params = ImplicitTDParams;

  BasicImplicitTD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.ee_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const Real alpha = this->alpha(s);
    const Real delta = td_error(s);
    const Motion m{s.rho * s.g * s.l, s.rho};
    if (!bounded(delta, e_.mass_after(m))) return false;
    e_.move(m, s.x);
    ee_ = e_.fresh() ? e_.squared_norm() : moved_product(ee_, e_, m, e_, m, s.x);
    e_.follow(alpha / (1 + alpha * ee_) * delta);
    return true;
  }

 private:
  Params params_;
  double ee_ = 0;
};

using ImplicitTD = BasicImplicitTD<double>;

}  // namespace bellwether
