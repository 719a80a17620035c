#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/metrics/exact.h>
#include <bellwether/metrics/measure.h>
#include <bellwether/metrics/value_error.h>

/// Bellman errors of chains too large for a table, estimated from one long trajectory that no learner sees. The
/// definitions are those of metrics/bellman_error.h: mean squares, weighted by behaviour's visits.
namespace bellwether {

/// A trajectory of n steps as features, with a second independent step out of every state of it:
///
///   S_t -> S_{t+1}     reward, discount, rho      followed by the behaviour policy
///   S_t -> S'_{t+1}    the same, drawn again      not followed
///
/// It is a function of (domain, features, n, seed, run) and independent of the steps that learners are trained on. It
/// is immutable: measures share it, also between threads. Memory: the features of 2 n + 1 states.
class TransitionSample {
 public:
  /// What happened in each state; the features tell where it led.
  struct Steps {
    std::vector<double> reward, discount, rho;
  };

  /// Throws InvalidArgument when there are no steps.
  TransitionSample(const Domain& domain, const FeatureMap& features, std::size_t steps, std::uint64_t seed,
                   std::uint64_t run = 0);

  std::size_t size() const { return first_.reward.size(); }
  std::size_t dim() const { return states_.dim(); }

  FeatureRows states() const { return states_.view(); }                // S_0, ..., S_n; after an end comes a start
  FeatureRows visited() const { return states().slice(0, size()); }    // S_0, ..., S_{n-1}
  FeatureRows second_states() const { return second_states_.view(); }  // S'_1, ..., S'_n
  const Steps& first() const { return first_; }
  const Steps& second() const { return second_; }

  /// LSTD(lambda)'s averages over the trajectory: A = 1/n sum e (x - gamma' x')^T and b = 1/n sum e r with e = rho
  /// (gamma lambda e + x). O(d) for each active feature of each step. Throws InvalidArgument beyond 4096 features: A is
  /// dense.
  KeySystem system(double lambda) const;

 private:
  RowBuffer states_;
  RowBuffer second_states_;
  Steps first_, second_;
};

/// The mean squared Bellman error from double samples (Baird 1995):
///
///   1/n sum_t (rho delta)_t (rho' delta')_t       delta = R + gamma v(S_{t+1}) - v(S_t), delta' with the second step
///
/// Given S_t the factors are independent with the mean (T v - v)(S_t), so the product is an unbiased estimate of its
/// square, which delta^2 is not: that adds the variance of rho delta. Close to the solution the estimate may be
/// negative.
class SampledBellmanError final : public Measure {
 public:
  explicit SampledBellmanError(std::shared_ptr<const TransitionSample> sample);
  using Measure::operator();
  double operator()(std::span<const double> w) override;

 private:
  std::shared_ptr<const TransitionSample> sample_;
  std::vector<double> values_, second_values_;
};

/// The mean squared projected Bellman error over the trajectory, g^T C^+ g with g = 1/n sum e delta and C = 1/n sum x
/// x^T. Neither e nor C is formed: summed backwards the errors of the lambda-returns,
///
///   y_t = rho_t (delta_t + gamma_{t+1} lambda y_{t+1}),   y_n = 0
///
/// give g = 1/n X^T y, so that
///
///   MSPBE = 1/n || Pi y ||^2,    Pi y the least-squares fit of y by the features x_0, ..., x_{n-1}
///
/// which conjugate gradients find without a matrix: O(n a) an iteration with a active features, memory O(n + d).
///
/// It is biased upward. With y = (T^lambda v - v)(S) + noise of variance sigma^2, the fit also follows the noise in
/// each of the k independent directions of the features, so it expects MSPBE + sigma^2 k / n (noise that is correlated
/// from step to step, as with lambda > 0, counts more). Take n well above d, or compare learners on the same sample. At
/// n <= k the fit is perfect and the number is the mean of y^2, which says nothing.
///
/// Conjugate gradients stop when the gradient has shrunk by 1e-8; what is missed is then below (1e-8 kappa)^2 of the
/// result, kappa the condition number of X with columns scaled to unit length. After 1000 iterations they stop anyway,
/// with a number slightly too small: each iteration only adds to it.
class SampledProjectedBellmanError final : public Measure {
 public:
  SampledProjectedBellmanError(std::shared_ptr<const TransitionSample> sample, double lambda);
  using Measure::operator();
  double operator()(std::span<const double> w) override;

  /// The iterations of the last measurement, and whether it converged before the limit.
  int iterations() const { return iterations_; }
  bool converged() const { return converged_; }

 private:
  double fitted_square();  // || Pi y ||^2, leaving y - Pi y in y_

  std::shared_ptr<const TransitionSample> sample_;
  double lambda_;
  int iterations_ = 0;
  bool converged_ = true;
  std::vector<double> values_;
  std::vector<double> y_, fit_;                              // n
  std::vector<double> scale_, gradient_, direction_, step_;  // d
};

/// The distance sqrt(1/n sum_t (v(S_t) - x_t.w*)^2) from the fixed point of the sample, A w* = b: where LSTD(lambda)
/// ends on this very trajectory. Solving takes O(d^3) once, seconds at d = 2048. Throws InvalidArgument beyond 4096
/// features.
///
/// w* has an error of its own of order sqrt(d / n), below which distances mean nothing.
Evaluator fixed_point_distance(const TransitionSample& sample, double lambda);

}  // namespace bellwether
