#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/feature_step_sizes.h>

namespace bellwether {

class AutoTIDBDRule {
 public:
  static constexpr const char* name = "auto_tidbd";
  static constexpr Doc doc{
      .summary = "AutoTIDBD(lambda): TIDBD whose meta step is normalised, and whose steps seldom overshoot.",
      .detail = R"(
delta   = r + gamma' w.x' - w.x
u       = x - gamma' x'
eta_j   = max(|delta u_j h_j|, eta_j + (1/tau) alpha_j u_j e_j (|delta x_j h_j| - eta_j))
beta_j += theta delta u_j h_j / eta_j          where eta_j > 0
m       = max(1, sum_j exp(beta_j) u_j e_j)
beta_j -= ln m                                 for every j
alpha_j = exp(beta_j)
e       = rho (gamma lambda e + x)
w_j    += alpha_j delta e_j
h_j     = h_j max(0, 1 - alpha_j u_j e_j) + alpha_j delta e_j

eta_j is a slowly forgotten maximum of the meta gradient, so one update changes a step size by a
factor of exp(theta) at most, whatever the scale of rewards and features. sum_j alpha_j u_j e_j is
the part of the TD error that the update takes away: m keeps it from taking more than all of it.
)",
      .reference =
          "Kearney, Veeriah, Travnik, Pilarski, Sutton (2019), Learning feature relevance through step size adaptation "
          "in temporal-difference learning, arXiv:1903.03252; after Autostep: Mahmood, Sutton, Degris, Pilarski "
          "(2012), Tuning-free step-size adaptation, ICASSP, doi:10.1109/ICASSP.2012.6288330",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. Published versions differ: eta "
          "starts at 0 (as here) or at 1, and m is one number (as here) or one for every feature. m is computed with "
          "the trace before this step's x enters it, so the first step of an episode is not limited by it. Step sizes "
          "only ever fall through m, for all features together: one state with large features lowers them everywhere."};

  struct Params {
    double alpha = 0.01;
    double lambda = 0.0;
    double theta = 0.01;
    double tau = 1e4;

    static constexpr auto fields() {
      return std::tuple{StepSizeField("alpha", &Params::alpha, positive, "step size of every feature at the start"),
                        lambda_field<Params>(),
                        Field("theta", &Params::theta, non_negative, "meta step size, free of units"),
                        Field("tau", &Params::tau, positive, "steps over which the normaliser eta is forgotten")};
    }
  };

  FeatureStepSizes w;

  AutoTIDBDRule(std::size_t dim, const Params& params)
      : w(dim, params.alpha), params_(params), entries_(dim), eta_(dim, 0.0), taken_(dim) {}

  /// alpha_j
  double step_size(std::size_t j) const { return w.step_size(j); }

  template <class Step>
  bool update(const Step& s) {
    const auto u = entries_.difference(s.x, s.gn, s.xn);
    const double* x = entries_.x_of_difference(s.x);
    const double delta = w.td_error(s);
    if (!s.allows(delta)) return false;
    for (std::size_t k = 0; k < u.size; ++k) {
      const std::size_t j = index_of(u, k);
      const double push = delta * w.h(j);
      const double gradient = push * u.values[k];
      taken_[k] = w.q(j) * u.values[k];
      eta_[j] = std::max(std::abs(gradient), eta_[j] + taken_[k] / params_.tau * (std::abs(push * x[k]) - eta_[j]));
      w.change[k] = eta_[j] > 0 ? params_.theta * gradient / eta_[j] : 0.0;
    }
    kernels::exp(w.change.data(), u.size);
    const double taken = kernels::dot(taken_.data(), w.change.data(), u.size);
    return s.allows(taken) && w.advance(s, delta, u, std::max(1.0, taken));
  }

  static constexpr auto state() { return std::tuple{&AutoTIDBDRule::w, &AutoTIDBDRule::eta_}; }

 private:
  Params params_;
  EntryList entries_;
  std::vector<double> eta_;    // the normaliser of the meta gradient
  std::vector<double> taken_;  // alpha_j u_j e_j for every entry of u
};

using AutoTIDBD = LinearLearner<AutoTIDBDRule>;

}  // namespace bellwether
