#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/feature_step_sizes.h>

namespace bellwether {

enum class MetaGradient : std::uint8_t { semi, ordinary };
constexpr auto names(MetaGradient) { return std::array{"semi", "ordinary"}; }

class TIDBDRule {
 public:
  static constexpr const char* name = "tidbd";
  static constexpr Doc doc{
      .summary = "TIDBD(lambda): TD(lambda) that learns a step size for every feature.",
      .detail = R"(
delta    = r + gamma' w.x' - w.x
beta_j  += theta delta u_j h_j                 u = x (semi), u = x - gamma' x' (ordinary)
alpha_j  = exp(beta_j)
e        = rho (gamma lambda e + x)
w_j     += alpha_j delta e_j
h_j      = h_j max(0, 1 - alpha_j u_j e_j) + alpha_j delta e_j

h_j remembers which way w_j has been pushed of late. Where pushes keep agreeing the steps were
too small, and alpha_j grows; where they cancel, as they do for a feature that is noise, it
shrinks. This is stochastic descent of the squared TD error in beta, the logarithm of the step
sizes. `semi` holds the target r + gamma' w.x' fixed when it differentiates, `ordinary` does not.
)",
      .reference =
          "Kearney, Veeriah, Travnik, Sutton, Pilarski (2018), TIDBD: adapting temporal-difference step-sizes through "
          "stochastic meta-descent, arXiv:1804.03334; for supervised learning: Sutton (1992), Adapting bias by "
          "gradient descent, AAAI-92, 171-176",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. theta = 0 is TD(lambda). The meta "
          "step has the units of 1/reward^2: rewards ten times as large want a theta a hundred times as small, and too "
          "large a theta makes step sizes explode (auto_tidbd normalises this away). alpha is only where step sizes "
          "begin."};

  struct Params {
    double alpha = 0.01;
    double lambda = 0.0;
    double theta = 0.01;
    MetaGradient gradient = MetaGradient::semi;

    static constexpr auto fields() {
      return std::tuple{StepSizeField("alpha", &Params::alpha, positive, "step size of every feature at the start"),
                        lambda_field<Params>(),
                        Field("theta", &Params::theta, non_negative, "meta step size: how fast step sizes change"),
                        Field("gradient", &Params::gradient, "what is differentiated: the prediction or the TD error")};
    }
  };

  FeatureStepSizes w;

  TIDBDRule(std::size_t dim, const Params& params) : w(dim, params.alpha), params_(params), entries_(dim) {}

  /// alpha_j
  double step_size(std::size_t j) const { return w.step_size(j); }

  template <class Step>
  bool update(const Step& s) {
    if (params_.gradient == MetaGradient::semi) return update(s, entries_.only(s.x));
    return update(s, entries_.difference(s.x, s.gn, s.xn));
  }

  static constexpr auto state() { return std::tuple{&TIDBDRule::w}; }

 private:
  template <class Step, class U>
  bool update(const Step& s, const U& u) {
    const double delta = w.td_error(s);
    const double step = params_.theta * delta;
    for (std::size_t k = 0; k < u.size; ++k) w.change[k] = step * u.values[k] * w.h(index_of(u, k));
    kernels::exp(w.change.data(), u.size);
    return w.advance(s, delta, u);
  }

  Params params_;
  EntryList entries_;
};

using TIDBD = LinearLearner<TIDBDRule>;

}  // namespace bellwether
