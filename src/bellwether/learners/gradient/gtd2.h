#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/gradient/gradient_learner.h>

namespace bellwether {

template <class Real>
class BasicGTD2 final : public GradientLearner<BasicGTD2<Real>> {
  using Base = GradientLearner<BasicGTD2>;
  using Base::e_;

 public:
  static constexpr const char* name = "gtd2";
  static constexpr Doc doc{
      .summary = "GTD2(lambda): gradient TD that moves only along the estimated expected TD error.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha ((x.v) x - gamma' (1 - lambda') (e.v) x')      lambda' is lambda at the next state
v    += beta (delta e - (x.v) x)                             v.x estimates the expected TD error at x
)",
      .reference =
          "Sutton et al. (2009), Fast gradient-descent methods for temporal-difference learning with linear "
          "function approximation, ICML, doi:10.1145/1553374.1553501",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. Here w learns from v alone, so "
          "with beta = 0 it does not learn at all, and it is usually slower than gtd, whose expected update is the "
          "same once v has converged."};

  using Params = GradientParams;

  BasicGTD2(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class X>
  void add_direction(const X& x, const Real& alpha, const Real& /*delta*/, const Real& xv) {
    e_.add_to(alpha * xv, x);
  }

 private:
  Params params_;
};

using GTD2 = BasicGTD2<double>;

}  // namespace bellwether
