#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <bellwether/metrics/exact.h>
#include <bellwether/metrics/measure.h>
#include <bellwether/metrics/value_error.h>

/// How far values are from satisfying the Bellman equation of a finite chain, exactly. In the letters of
/// metrics/exact.h, with weights c = d scaled to sum to one and D = diag(c),
///
///   MSBE(v)        = || T v - v ||_D^2 = sum_s c(s) (r + P v - v)(s)^2                 mean squared Bellman error
///   MSPBE(v)       = || Pi (T^lambda v - v) ||_D^2                           mean squared projected Bellman error
///                  = (b - A w)^T C^+ (b - A w)            for v = X w, with C = X^T D X
///   T^lambda v - v = (I - lambda P)^-1 (r + P v - v)
///   Pi             = X C^+ X^T D, the nearest values that the features represent
///
/// They are mean squares, as their names say: no root is taken. T is the target policy's operator, the weights are
/// behaviour's visits; with `Weighting::emphatic` they are the emphasis m, scaled to sum to one like d.
///
///   MSPBE = 0        exactly where A w = b: the point that TD, gradient TD and LSTD all tend to
///   MSPBE <= MSBE    with lambda = 0; equal when the features represent everything (tabular)
///
/// A small Bellman error does not mean small errors of the values: || v - v_pi || can be 1 / (1 - gamma) times as
/// large.
///
/// Features that depend on the moment (noise) have one fixed draw per state here.
namespace bellwether {

/// A squared length || c - M v ||^2 of a linear function of the values. Making it takes O(n^3) in the number of states;
/// measuring O(n^2) for the MSBE, O(n k) for the MSPBE with k independent features, and no allocation.
///
///     BellmanError mspbe = BellmanError::projected(Exact(chain, *chain.features()), 0.9);
///     std::printf("%g\n", mspbe(learner));
class BellmanError final : public Measure {
 public:
  static BellmanError mean_squared(const Exact& exact);
  static BellmanError projected(const Exact& exact, double lambda, Weighting weighting = Weighting::behaviour);

  using Measure::operator();
  double operator()(std::span<const double> w) override;

  /// The error of values given for every state. Throws InvalidArgument when their number differs from that of the
  /// states.
  double of(std::span<const double> values);

 private:
  BellmanError(const Exact& exact, Eigen::MatrixXd M, Eigen::VectorXd c);

  RowBuffer rows_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd c_;
  Eigen::VectorXd residual_;
  std::vector<double> values_;
};

/// The distance from the values at the fixed point w*, A w* = b: sqrt(sum_s c(s) (v - x.w*)(s)^2). It is a root mean
/// square, in the unit of values. If A is singular, w* is KeySystem::solution.
Evaluator fixed_point_distance(const Exact& exact, double lambda, Weighting weighting = Weighting::behaviour);

}  // namespace bellwether
