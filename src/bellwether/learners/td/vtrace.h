#pragma once

#include <algorithm>

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/cut_trace_learner.h>

namespace bellwether {

struct VTraceParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  double clip = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        linear_fields<VTraceParams>(),
        std::tuple{Field("clip", &VTraceParams::clip, positive_or_infinite, "largest ratio that enters the trace")});
  }
};

template <class Real>
class BasicVTrace final : public CutTraceLearner<BasicVTrace<Real>> {
  using Base = CutTraceLearner<BasicVTrace>;

 public:
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
          "O(d) a step with dense features, O(active) amortised with sparse ones. Only the trace is clipped, the "
          "present TD error is not, so the fixed point remains that of the target policy. On-policy it is TD(lambda); "
          "clip = inf is off-policy TD(lambda). With function approximation it may diverge off-policy."};

  using Params = VTraceParams;

  BasicVTrace(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class X>
  double coefficient(const Transition<X>& s) const {
    return s.l * std::min(s.rhop, params_.clip);
  }

 private:
  Params params_;
};

using VTrace = BasicVTrace<double>;

}  // namespace bellwether
