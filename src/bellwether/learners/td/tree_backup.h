#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/cut_trace.h>

namespace bellwether {

struct TreeBackupRule {
  static constexpr const char* name = "tree_backup";
  static constexpr Doc doc{
      .summary = "Tree backup(lambda): a trace that decays with the target policy's probability of the actions taken.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
c     = lambda pi(A_{t-1}|S_{t-1})
e     = c gamma e + x
w    += alpha rho delta e
)",
      .reference = "Precup, Sutton, Singh (2000), Eligibility traces for off-policy policy evaluation, ICML",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. No ratio enters the trace, so its "
          "variance is small; but it is cut even on-policy, wherever the policy is random, which makes it slow. Needs "
          "pi with every step: without it pi = 1. With function approximation it may diverge off-policy."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;

    static constexpr auto fields() { return linear_fields<Params>(); }
  };

  template <class Real>
  struct State {
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it

    State(std::size_t dim, const Params& p) : alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      return cut_trace_step(e, s, s.l * s.pip, alpha);
    }

    static constexpr auto state() { return std::tuple{&State::e}; }
  };
};

using TreeBackup = LinearLearner<TreeBackupRule>;

}  // namespace bellwether
