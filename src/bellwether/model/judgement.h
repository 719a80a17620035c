#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <bellwether/core/batch.h>

namespace bellwether {

/// How well weights do on steps that they were not learned from.
struct Judgement {
  std::uint64_t after = 0;          // steps that had been learned from
  std::size_t steps = 0;            // judged on
  double td_error = 0;              // root of the mean of rho delta^2, delta = r + gamma' v(S') - v(S)
  std::optional<double> projected;  // root of the mean squared projected Bellman error; nothing when there are too few
  std::size_t returns = 0;          // steps whose episode ended: their returns are known
  double mean_return = 0;           // of these
  double mean_value = 0;            // predicted for these
  double return_error = 0;          // root mean square of return - value

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.after, self.steps, self.td_error, self.projected, self.returns, self.mean_return, self.mean_value,
          self.return_error);
  }
};

/// Judges weights on consecutive steps.
///
/// Returns are those of the target policy, G_t = rho_t (R_{t+1} + gamma_{t+1} G_{t+1}): the observed ones on-policy.
/// They hold all the noise of an episode, so even the true values have a return_error; but their mean must agree.
///
/// The projected Bellman error is g^T C^-1 g, g = mean of y_t x_t with the errors of the lambda-returns y_t = rho_t
/// (delta_t + gamma lambda y_{t+1}), C = mean of x x^T. Taken as it stands it would be too large by the noise of g; so
/// the steps are dealt to two halves, g_1^T C^-1 g_2, whose noises are independent when the halves are whole episodes.
/// Below zero it is 0. It takes at least as many steps as features.
Judgement judge(const Batch& steps, std::span<const double> w, double lambda);

}  // namespace bellwether
