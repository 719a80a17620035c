#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/cut_trace.h>
#include <algorithm>

namespace bellwether {

struct ABTDRule {
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
          "O(d) per step with dense features, O(active) amortised with sparse ones. zeta plays the part of lambda: 0 "
          "is off-policy TD(0), 1 keeps most of the trace, and c never exceeds min(1, rho). psi0 and psi_max are 1 / "
          "max(pi, mu) at its smallest and largest over all actions; the defaults fit a policy that is certain "
          "somewhere and even between two actions elsewhere. Needs pi with every step: without it pi = 1."};

  struct Params {
    double alpha = 0.1;
    double zeta = 0.5;
    double psi0 = 1;
    double psi_max = 2;
    Schedule schedule = Schedule::constant;
    double n0 = 100;

    static constexpr auto fields() {
      return std::tuple_cat(
          std::tuple{alpha_field<Params>(),
                     Field("zeta", &Params::zeta, unit, "how far credit reaches, as lambda does"),
                     Field("psi0", &Params::psi0, positive, "psi at zeta = 1/2: the smallest 1 / max(pi, mu)"),
                     Field("psi_max", &Params::psi_max, positive, "psi at zeta = 1: the largest 1 / max(pi, mu)")},
          schedule_fields<Params>());
    }
  };

  template <class Real>
  struct State {
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it
    double psi;

    State(std::size_t dim, const Params& p)
        : alpha(same<Real>(p.alpha)),
          e(dim),
          psi(2 * p.zeta * p.psi0 + std::max(0.0, 2 * p.zeta - 1) * (p.psi_max - 2 * p.psi0)) {}

    template <class Step>
    bool update(const Step& s) {
      return cut_trace_step(e, s, coefficient(s), alpha);
    }

    template <class Step>
    double coefficient(const Step& s) const {
      if (s.rhop == 0) return 0;
      const double mu = s.pip / s.rhop;
      return s.l * std::min(psi, 1 / std::max(s.pip, mu)) * s.pip;
    }

    static constexpr auto state() { return std::tuple{&State::e}; }
  };
};

using ABTD = LinearLearner<ABTDRule>;

}  // namespace bellwether
