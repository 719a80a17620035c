#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/true_online_learner.h>

namespace bellwether {

struct TrueOnlineTDParams {
  double alpha = 0.1;
  double lambda = 0.9;
  Schedule schedule = Schedule::constant;
  double n0 = 100;

  static constexpr auto fields() { return linear_fields<TrueOnlineTDParams>(); }
};

template <class Real>
class BasicTrueOnlineTD final : public TrueOnlineLearner<BasicTrueOnlineTD<Real>> {
  using Base = TrueOnlineLearner<BasicTrueOnlineTD>;
  using Base::advance;

 public:
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
      .note = "O(d) a step with dense features, O(active) amortised with sparse ones. On-policy: rho is ignored."};

  using Params = TrueOnlineTDParams;

  BasicTrueOnlineTD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class X>
  bool update(const Transition<X>& s) {
    return advance(s, s.g * s.l, this->alpha(s)).has_value();
  }

 private:
  Params params_;
};

using TrueOnlineTD = BasicTrueOnlineTD<double>;

}  // namespace bellwether
