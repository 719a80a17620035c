#pragma once

#include "support/experience.h"
#include "support/rules.h"

namespace bellwether::testing {

/// Compares a learner of the form z = c_{t-1} gamma z + x, w += alpha rho delta z with the textbook loop, under every
/// schedule and after every step; `c(step)` is the coefficient.
template <class L, class Coefficient>
void expect_textbook_cut_trace(typename L::Params params, double lambda, Coefficient c) {
  const auto experience =
      Experience{.steps = 500, .off_policy = true, .state_dependent = true, .restart_probability = 0.05}.as(
          Layout::dense);
  for (const Schedule schedule : schedules) {
    params.schedule = schedule;
    params.n0 = 3;
    const auto steps = rule_steps(experience.view(), {.lambda = lambda, .schedule = schedule});
    Vector z = Vector::Zero(8);
    L learner(8, params);
    EXPECT_LE(departure(learner, experience.view(), steps,
                        [&](const RuleStep& s, Vector& w) {
                          z = c(s) * s.g * z + s.x;
                          w += params.alpha * s.factor * s.rho * s.delta(w) * z;
                        }),
              1e-12);
  }
}

}  // namespace bellwether::testing
