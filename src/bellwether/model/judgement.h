#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/model/predicted_returns.h>

namespace bellwether {

/// How well weights predict steps that they were not learned from. `Model::judgements` has one after 500 steps and then
/// whenever the number of steps has doubled: td_error and projected should fall, the two means should come together.
///
///     const Judgement last = judge(steps.view(0), learner->weights(), /*lambda=*/0.9);
///     if (last.returns > 0) std::printf("predicted %g, observed %g\n", last.mean_value, last.mean_return);
///
/// All errors are in the unit of the reward.
struct Judgement {
  std::uint64_t after = 0;          // how many steps the weights were learned from
  std::size_t steps = 0;            // how many steps they were judged on
  double td_error = 0;              // root of the mean of rho delta^2, delta = r + gamma' v(S') - v(S)
  std::optional<double> projected;  // root of the mean squared projected Bellman error, if there are enough steps
  std::size_t returns = 0;          // how many of the steps have a known return: their episode ended
  double mean_return = 0;           // mean of these returns
  double mean_value = 0;            // mean of the values predicted for them
  double return_error = 0;          // root mean square of return - value
  std::optional<double> policy;  // the value of the policy by these weights (Model::policy_value), if it was asked for

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.after, self.steps, self.td_error, self.projected, self.returns, self.mean_return, self.mean_value,
          self.return_error, self.policy);
  }
};

/// Judges weights on consecutive steps.
///
/// Returns are those of the target policy, G_t = rho_t (R_{t+1} + gamma_{t+1} G_{t+1}); on-policy these are the
/// observed ones. They contain all the noise of an episode, so even the true values have a return_error; but the means
/// must agree.
///
/// The projected Bellman error is g^T C^-1 g, g = mean of y_t x_t with the errors of the lambda-returns y_t = rho_t
/// (delta_t + gamma lambda y_{t+1}), C = mean of x x^T. Computed from one g it would be too large by the noise of g.
/// Therefore the steps are split into two halves, g_1^T C^-1 g_2, whose noises are independent when the halves are
/// whole episodes. A result below zero becomes 0.
///
/// So that features may depend on each other, a ridge is added to C: k/n times its diagonal, with k features that occur
/// in n steps. It takes the share k/(k + n) from features that do not overlap, more from directions in which states
/// hardly differ, and vanishes with the number of steps; there must be at least as many as features, of which some may
/// be known to be always zero: `features` are the others, all if it is left out. The result is found to a thousandth of
/// g_1^T C^-1 g_1 and g_2^T C^-1 g_2 (metrics/projected_product.h).
///
/// `returns`, if it is not null, becomes the list of the steps with a known return, in order.
Judgement judge(const Batch& steps, std::span<const double> w, double lambda,
                std::optional<std::size_t> features = std::nullopt, std::vector<PredictedReturn>* returns = nullptr);

}  // namespace bellwether
