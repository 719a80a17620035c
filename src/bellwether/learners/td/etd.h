#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/traced_learner.h>
#include <bellwether/traces/emphasis.h>

namespace bellwether {

struct ETDParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  double interest = 1;
  std::optional<double> beta{};

  static constexpr auto fields() {
    return std::tuple_cat(
        linear_fields<ETDParams>(),
        std::tuple{interest_field<ETDParams>(),
                   Field("beta", &ETDParams::beta, unit, "decay of the follow-on trace; auto: the step's discount")});
  }
};

template <class Real>
class BasicETD final : public TracedLearner<BasicETD<Real>> {
  using Base = TracedLearner<BasicETD>;
  using Base::advance, Base::td_error;

 public:
  static constexpr const char* name = "etd";
  static constexpr Doc doc{
      .summary = "Emphatic TD(lambda): off-policy TD made stable by weighing states with a follow-on trace.",
      .detail = R"(
F     = rho_{t-1} gamma F + i                F = i at the start of an episode; i is the interest in the state
M     = lambda i + (1 - lambda) F            the emphasis
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + M x)
w    += alpha delta e

ETD(lambda, beta): beta takes the place of gamma in the line of F only. A smaller beta has less variance and more bias;
beta = 0 is off-policy TD(lambda).
)",
      .reference =
          "Sutton, Mahmood, White (2016), An emphatic approach to the problem of off-policy temporal-difference "
          "learning, JMLR 17(73). beta: Hallak et al. (2016), Generalized emphatic temporal difference learning, AAAI, "
          "arXiv:1509.05172",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. The expected update is stable under "
          "any behaviour policy, but F is a product of ratios: its variance can be huge, even infinite. F grows to "
          "1/(1-gamma) also on-policy, so alpha has to be smaller than TD's. With lambda = 1 and interest 1 it is "
          "off-policy TD(1)."};

  using Params = ETDParams;

  BasicETD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.emphasis_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const double M = emphasis_.next(s, params_.interest, params_.beta.value_or(s.g));
    return advance(s.x, Motion{s.rho * s.g * s.l, s.rho * M}, this->alpha(s) * td_error(s));
  }

 private:
  Params params_;
  Emphasis emphasis_;
};

using ETD = BasicETD<double>;

}  // namespace bellwether
