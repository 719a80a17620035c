#pragma once

#include <algorithm>

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/cut_trace_learner.h>

namespace bellwether {

struct ABTDParams {
  double alpha = 0.1;
  double zeta = 0.5;
  double psi0 = 1;
  double psi_max = 2;
  Schedule schedule = Schedule::constant;
  double n0 = 100;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{alpha_field<ABTDParams>(),
                   Field("zeta", &ABTDParams::zeta, unit, "how far credit reaches, as lambda does"),
                   Field("psi0", &ABTDParams::psi0, positive, "psi at zeta = 1/2: the smallest 1 / max(pi, mu)"),
                   Field("psi_max", &ABTDParams::psi_max, positive, "psi at zeta = 1: the largest 1 / max(pi, mu)")},
        schedule_fields<ABTDParams>());
  }
};

template <class Real>
class BasicABTD final : public CutTraceLearner<BasicABTD<Real>> {
  using Base = CutTraceLearner<BasicABTD>;

 public:
  static constexpr const char* name = "abtd";
  static constexpr Doc doc{
      .summary = "ABTD(zeta): bootstraps by action, so that no importance-sampling ratio enters the trace.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
psi   = 2 zeta psi0 + max(0, 2 zeta - 1) (psi_max - 2 psi0)        0, psi0, psi_max for zeta = 0, 1/2, 1
nu    = min(psi, 1 / max(pi, mu))                                  pi, mu: probabilities of the previous action
c     = nu pi                                                      mu = pi / rho; c = 0 where rho = 0
e     = c gamma e + x
w    += alpha rho delta e
)",
      .reference =
          "Mahmood, Yu, Sutton (2017), Multi-step off-policy learning without importance sampling ratios, "
          "arXiv:1702.03006",
      .note =
          "O(d) a step with dense features, O(active) amortised with sparse ones. zeta plays the part of lambda: 0 is "
          "off-policy TD(0), 1 keeps most of the trace, and c never exceeds min(1, rho). psi0 and psi_max are "
          "1 / max(pi, mu) at its smallest and largest over all actions; the defaults fit a policy that is certain "
          "somewhere and even between two actions elsewhere. Needs pi with every step: without it pi = 1."};

  using Params = ABTDParams;

  BasicABTD(std::size_t dim, const Params& params)
      : Base(dim),
        params_(checked(name, params)),
        psi_(2 * params.zeta * params.psi0 + std::max(0.0, 2 * params.zeta - 1) * (params.psi_max - 2 * params.psi0)) {}

  const Params& params() const { return params_; }

  template <class X>
  double coefficient(const Transition<X>& s) const {
    if (s.rhop == 0) return 0;
    const double mu = s.pip / s.rhop;
    return s.l * std::min(psi_, 1 / std::max(s.pip, mu)) * s.pip;
  }

 private:
  Params params_;
  double psi_;
};

using ABTD = BasicABTD<double>;

}  // namespace bellwether
