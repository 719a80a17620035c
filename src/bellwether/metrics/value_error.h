#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/learner.h>
#include <bellwether/metrics/measure.h>

namespace bellwether {

/// How far estimated values v^ lie from true values v, over states s with weights c(s) >= 0:
///
///   relative   sum c |v^ - v| / |v|  /  sum c
///   rmse       sqrt( sum c (v^ - v)^2  /  sum c )
enum class ValueError : std::uint8_t { relative, rmse };
constexpr auto names(ValueError) { return std::array{"relative", "rmse"}; }

/// States on which learners are judged: their features, their true values and, if they do not count alike, weights.
class EvaluationSet {
 public:
  /// An empty set of states of the map's layout and number of features.
  explicit EvaluationSet(const FeatureMap& features) : x_(features.layout(), features.dim()) {}

  /// States given by their features. Throws InvalidArgument unless there is one value for each, and all are finite.
  EvaluationSet(const FeatureRows& rows, std::span<const double> values);

  /// Every state of a finite domain, counting alike. Throws InvalidArgument when the domain has no table.
  /// `set.weigh(domain.model()->visit_distribution())` makes states count by their share of visits.
  static EvaluationSet every_state(const Domain& domain, const FeatureMap& features);

  /// Adds a state with its true value. Throws InvalidArgument when the value is not finite.
  void add(const FeatureMap& features, std::span<const double> state, double value);

  /// Gives every state its weight, such as its share of visits. Throws InvalidArgument unless there is one for each
  /// state, none is negative and some are positive.
  void weigh(std::span<const double> weights);

  std::size_t size() const { return values_.size(); }
  FeatureRows rows() const { return x_.view(); }
  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& weights() const { return weights_; }  // empty: all count alike

  /// The relative error divides by |v|, so it needs values away from 0: no |v| that counts may be below 1e-9 of the
  /// largest, which is where a true value of 0 ends up when it is the solution of a linear system.
  bool allows(ValueError metric) const;

  /// The relative error where the set allows it and all values have the same sign, else rmse: values that change sign
  /// come close to zero, where a small error is a large relative one.
  ValueError suitable_error() const;

 private:
  void add_value(double value);

  RowBuffer x_;
  std::vector<double> values_;
  std::vector<double> weights_;
};

/// The error of estimates, one for each state of the set. Allocates nothing. Throws InvalidArgument when the set is
/// empty or has another number of states.
double value_error(ValueError metric, const EvaluationSet& set, std::span<const double> estimates);

/// Judges learners on one set. It keeps the estimates between calls, so judging allocates nothing after the first time;
/// give each thread its own.
///
///     Evaluator error(EvaluationSet::every_state(chain, *chain.features()));
///     learner.learn(stream.next(1000));
///     std::printf("%g\n", error(learner));
class Evaluator final : public Measure {
 public:
  /// With the metric that suits the set.
  explicit Evaluator(EvaluationSet set);

  /// Throws InvalidArgument when the set does not allow the metric.
  Evaluator(EvaluationSet set, ValueError metric);

  using Measure::operator();
  double operator()(std::span<const double> w) override;
  void eight(std::span<const double> lanes, std::span<double> results) override;

  ValueError metric() const { return metric_; }
  const EvaluationSet& set() const { return set_; }

  /// The values that the learner judged last gave the states.
  const std::vector<double>& estimates() const { return estimates_; }

 private:
  EvaluationSet set_;
  ValueError metric_;
  std::vector<double> estimates_, eight_estimates_;
};

}  // namespace bellwether
