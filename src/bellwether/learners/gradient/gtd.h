#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/gradient/gradient_learner.h>

namespace bellwether {

template <class Real>
class BasicGTD final : public GradientLearner<BasicGTD<Real>> {
  using Base = GradientLearner<BasicGTD>;

 public:
  static constexpr const char* name = "gtd";
  static constexpr Doc doc{
      .summary = "GTD(lambda), also called TDC(lambda): TD with a gradient correction that makes it stable off-policy.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)
w    += alpha (delta e - gamma' (1 - lambda') (e.v) x')      lambda' is lambda at the next state
v    += beta (delta e - (x.v) x)                             v.x estimates the expected TD error at x
)",
      .reference =
          "Sutton et al. (2009), Fast gradient-descent methods for temporal-difference learning with linear "
          "function approximation, ICML, doi:10.1145/1553374.1553501; traces: Maei (2011), Gradient "
          "temporal-difference learning algorithms, PhD thesis, University of Alberta",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. It descends the mean squared "
          "projected Bellman error for any behaviour policy, if beta is large enough against alpha; tdrc removes "
          "that choice. With beta = 0, or with lambda = 1, w is that of off-policy TD."};

  using Params = GradientParams;

  BasicGTD(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

 private:
  Params params_;
};

using GTD = BasicGTD<double>;

}  // namespace bellwether
