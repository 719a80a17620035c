#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/td/cut_trace_learner.h>

namespace bellwether {

struct TreeBackupParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;

  static constexpr auto fields() { return linear_fields<TreeBackupParams>(); }
};

template <class Real>
class BasicTreeBackup final : public CutTraceLearner<BasicTreeBackup<Real>> {
  using Base = CutTraceLearner<BasicTreeBackup>;

 public:
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
          "O(d) a step with dense features, O(active) amortised with sparse ones. No ratio enters the trace, so its "
          "variance is small; but it is cut even on-policy, wherever the policy is random, which makes it slow. "
          "Needs pi with every step: without it pi = 1. With function approximation it may diverge off-policy."};

  using Params = TreeBackupParams;

  BasicTreeBackup(std::size_t dim, const Params& params) : Base(dim), params_(checked(name, params)) {}

  const Params& params() const { return params_; }

  template <class X>
  double coefficient(const Transition<X>& s) const {
    return s.l * s.pip;
  }

 private:
  Params params_;
};

using TreeBackup = BasicTreeBackup<double>;

}  // namespace bellwether
