#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/true_online_learner.h>
#include <bellwether/traces/emphasis.h>

namespace bellwether {

struct TrueOnlineETDParams {
  double alpha = 0.1;
  double lambda = 0.9;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  double interest = 1;

  static constexpr auto fields() {
    return std::tuple_cat(linear_fields<TrueOnlineETDParams>(), std::tuple{interest_field<TrueOnlineETDParams>()});
  }
};

template <class Real>
class BasicTrueOnlineETD final : public TrueOnlineLearner<BasicTrueOnlineETD<Real>> {
  using Base = TrueOnlineLearner<BasicTrueOnlineETD>;
  using Base::advance;

 public:
  static constexpr const char* name = "true_online_etd";
  static constexpr Doc doc{
      .summary = "True online emphatic TD(lambda): emphatic TD that equals its own forward view after every step.",
      .detail = R"(
F  = rho_{t-1} gamma F + i ;  M = lambda i + (1 - lambda) F          as in etd
a  = alpha rho M
V  = w.x ; V' = w.x'
e  = rho gamma lambda e + a (1 - rho gamma lambda e.x) x             a dutch trace, with the step size inside
w += (r + gamma' V' - V_old) e + a (V_old - V) x
V_old = V'
)",
      .reference =
          "Sutton (2015), True online emphatic TD(lambda): quick reference and implementation guide, "
          "arXiv:1507.07147",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. True online TD with the step size "
          "alpha rho M and the decay rho gamma lambda; its targets are returns whose corrections are weighted by "
          "rho. As with etd, M can be large: alpha M |x|^2 should stay below 1."};

  using Params = TrueOnlineETDParams;

  BasicTrueOnlineETD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.emphasis_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const double M = emphasis_.next(s, params_.interest, s.g);
    return advance(s, s.rho * s.g * s.l, this->alpha(s) * s.rho * M).has_value();
  }

 private:
  Params params_;
  Emphasis emphasis_;
};

using TrueOnlineETD = BasicTrueOnlineETD<double>;

}  // namespace bellwether
