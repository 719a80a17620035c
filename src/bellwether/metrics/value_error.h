#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/learner.h>
#include <bellwether/metrics/measure.h>

namespace bellwether {

/// Errors of estimated values v^ against true values v, over states s with weights c(s) >= 0:
///
///   relative   sum c |v^ - v| / |v|  /  sum c              no unit; 0.1: values are wrong by a tenth on average
///   rmse       sqrt( sum c (v^ - v)^2  /  sum c )          in the unit of the reward
enum class ValueError : std::uint8_t { relative, rmse };
constexpr auto names(ValueError) { return std::array{"relative", "rmse"}; }

/// States on which learners are evaluated: their features, their true values and, optionally, weights. The set owns
/// copies of all of these. Three ways to one:
///
///     auto set = EvaluationSet::every_state(*chain, *features);              // a finite domain
///     auto set = ground_truth(*domain, {}).evaluation_set(*features);        // any domain (ground_truth.h)
///     EvaluationSet set(rows, values);                                       // your own states and values
class EvaluationSet {
 public:
  /// An empty set of states of the map's layout and number of features.
  explicit EvaluationSet(const FeatureMap& features) : x_(features.layout(), features.dim()) {}

  /// States given by their features. Throws InvalidArgument unless there is one value for each, and all values are
  /// finite.
  EvaluationSet(const FeatureRows& rows, std::span<const double> values);

  /// Every state of a finite domain, with equal weights. Throws InvalidArgument when the domain has no table. States
  /// weighted by their share of visits: `ground_truth(domain, {.weights = StateWeights::visits})`.
  static EvaluationSet every_state(const Domain& domain, const FeatureMap& features);

  /// Adds a state with its true value, and forgets weights that were given before. Throws InvalidArgument when the
  /// value is not finite. `features` must be the map that the set was made with.
  void add(const FeatureMap& features, std::span<const double> state, double value);

  /// Gives every state its weight, such as its share of visits. Throws InvalidArgument unless there is one for each
  /// state, none is negative and some are positive.
  void weigh(std::span<const double> weights);

  std::size_t size() const { return values_.size(); }  // states
  FeatureRows rows() const { return x_.view(); }       // their features; valid until a state is added
  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& weights() const { return weights_; }  // empty: equal weights

  /// Whether the relative error can be used. It divides by |v|, so no |v| of positive weight may be below 1e-9 of the
  /// largest; a true value of 0 is about that large when it is the solution of a linear system.
  bool allows(ValueError metric) const;

  /// The relative error if it can be used and all values have the same sign, else rmse: values that change sign come
  /// close to zero, where a small error is a large relative error.
  ValueError suitable_error() const;

 private:
  void add_value(double value);

  RowBuffer x_;
  std::vector<double> values_;
  std::vector<double> weights_;
};

/// The error of estimates, one for each state of the set, wherever they come from: a learner, or another program.
/// Allocates nothing. Throws InvalidArgument when the set is empty or has another number of states.
double value_error(ValueError metric, const EvaluationSet& set, std::span<const double> estimates);

/// Evaluates learners on one set, in O(states x active features). It keeps work space between calls, so only the first
/// call allocates; each thread needs its own.
///
///     Evaluator error(EvaluationSet::every_state(*chain, *chain->features()));
///     learner->learn(stream.next(1000));
///     std::printf("%g\n", error(*learner));
class Evaluator final : public Measure {
 public:
  /// Uses the metric that suits the set: `metric()` says which.
  explicit Evaluator(EvaluationSet set);

  /// Throws InvalidArgument when the set does not allow the metric.
  Evaluator(EvaluationSet set, ValueError metric);

  using Measure::operator();
  double operator()(std::span<const double> w) override;
  void eight(std::span<const double> lanes, std::span<double> results) override;

  /// Throws InvalidArgument when the set does not allow the metric.
  void require(ValueError metric) const;

  ValueError metric() const { return metric_; }
  const EvaluationSet& set() const { return set_; }

  /// The estimates of the learner that was evaluated last.
  const std::vector<double>& estimates() const { return estimates_; }

  /// The same in two parts, for errors by several metrics, of which the first is most of the work: the estimates, and
  /// the error of those that were made last by a metric that the set allows.
  void estimate(std::span<const double> w);
  double error(ValueError metric) const { return value_error(metric, set_, estimates_); }
  void estimate_eight(std::span<const double> lanes);
  void errors_of_eight(ValueError metric, std::span<double> results) const;

 private:
  EvaluationSet set_;
  ValueError metric_;
  std::vector<double> estimates_, eight_estimates_;
};

}  // namespace bellwether
