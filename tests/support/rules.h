#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/core/learner.h>
#include <bellwether/traces/step_size.h>

/// Update rules written as in textbooks, on dense vectors, which learners are compared with.
namespace bellwether::testing {

using Vector = Eigen::VectorXd;

inline Vector as_vector(const std::vector<double>& w) {
  return Eigen::Map<const Vector>(w.data(), static_cast<Eigen::Index>(w.size()));
}

/// A step in the letters of the rules, derived from a dense batch without the library's own bookkeeping.
struct RuleStep {
  Vector x, xn;
  double r, g, gn, l, ln, rho, rhop, pi, pip, i;
  double factor;  // of the step sizes

  double delta(const Vector& w) const { return r + gn * w.dot(xn) - w.dot(x); }
};

/// How the rules of a test are run; n0 is that of Boyan's schedule.
struct RuleOptions {
  double lambda = 0.8;
  Schedule schedule = Schedule::constant;
  double n0 = 3;
};

std::vector<RuleStep> rule_steps(const Batch& batch, const RuleOptions& options);

/// All schedules.
inline constexpr Schedule schedules[] = {Schedule::constant, Schedule::boyan, Schedule::harmonic};

/// The largest difference, after every step, between the learner's weights and those of `rule(step, w)`, which starts
/// from w = 0; relative to the largest weight or to 1, whichever is larger. Fails when the learner diverges or hardly
/// learns.
template <class Rule>
double departure(Learner& learner, const Batch& batch, const std::vector<RuleStep>& steps, Rule rule) {
  Vector w = Vector::Zero(static_cast<Eigen::Index>(batch.dim()));
  double most = 0;
  double size = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    learner.learn(batch.slice(t, 1));
    rule(steps[t], w);
    const std::vector<double> weights = learner.weights();
    most = std::max(most, (as_vector(weights) - w).cwiseAbs().maxCoeff());
    size = std::max(size, w.cwiseAbs().maxCoeff());
  }
  EXPECT_FALSE(learner.diverged_at());
  EXPECT_GT(size, 1e-2) << "the test shows nothing when nothing is learned";
  return most / std::max(1.0, size);
}

/// The online lambda-return algorithm: after h steps, the weights that updates towards the h-truncated returns of all
/// steps so far have led to. Step k moves by `step_size[k]`, and later corrections are weighted by `weight[k]`:
///
///   G_k = R_{k+1} + gamma_{k+1} (V_{k+1} + lambda_{k+1} weight_{k+1} (G_{k+1} - V_{k+1}))       V_{k+1} = w_k.x_{k+1}
///   w  += step_size_k (G_k - w.x_k) x_k                                                      k = 0 .. h-1, from w = 0
///
/// Quadratic in the number of steps. Returns w_1, w_2, ...
std::vector<Vector> forward_view(const std::vector<RuleStep>& steps, const std::vector<double>& step_size,
                                 const std::vector<double>& weight);

}  // namespace bellwether::testing
