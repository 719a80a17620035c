#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/td/cut_trace.h>
#include <algorithm>

namespace bellwether {

struct VTraceRule {
  static constexpr const char* name = "vtrace";
  static constexpr Doc doc{
      .summary = "V-trace(lambda): off-policy TD(lambda) whose trace clips the importance-sampling ratios.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
c     = lambda min(rho_{t-1}, clip)
e     = c gamma e + x
w    += alpha rho delta e
)",
      .reference =
          "Espeholt et al. (2018), IMPALA: scalable distributed deep-RL with importance weighted actor-learner "
          "architectures, ICML, arXiv:1802.01561",
      .note =
          "O(d) per step with dense features, O(active) amortised with sparse ones. Only the trace is clipped, the "
          "present TD error is not, so the fixed point remains that of the target policy. On-policy it is TD(lambda); "
          "clip = inf is off-policy TD(lambda). With function approximation it may diverge off-policy."};

  struct Params {
    double alpha = 0.1;
    double lambda = 0.0;
    Schedule schedule = Schedule::constant;
    double n0 = 100;
    double clip = 1;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(), std::tuple{Field("clip", &Params::clip, positive_or_infinite,
                                                                      "largest ratio that enters the trace")});
    }
  };

  template <class Real>
  struct State {
    Params params;
    Real alpha;
    FollowedTrace<1, Real> e;  // the trace, and the weights w that follow it

    State(std::size_t dim, const Params& p) : params(p), alpha(same<Real>(p.alpha)), e(dim) {}

    template <class Step>
    bool update(const Step& s) {
      return cut_trace_step(e, s, s.l * std::min(s.rhop, params.clip), alpha);
    }

    static constexpr auto state() { return std::tuple{&State::e}; }
  };
};

using VTrace = LinearLearner<VTraceRule>;

}  // namespace bellwether
