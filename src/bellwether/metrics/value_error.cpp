#include <bellwether/metrics/value_error.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/field.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>
#include <bellwether/linalg/simd/values.h>

namespace bellwether {

EvaluationSet::EvaluationSet(const FeatureRows& rows, std::span<const double> values) : x_(rows.layout, rows.dim) {
  if (values.size() != rows.rows) {
    throw InvalidArgument(fmt::format("evaluation set: {} values for {} states", values.size(), rows.rows));
  }
  for (std::size_t s = 0; s < rows.rows; ++s) {
    add_value(values[s]);
    x_.append(rows.row(s));
  }
}

EvaluationSet EvaluationSet::every_state(const Domain& domain, const FeatureMap& features) {
  if (domain.model() == nullptr) {
    throw InvalidArgument(fmt::format("{}: the domain has no table of its states", domain.type()));
  }
  EvaluationSet set(features);
  const auto values = domain.model()->true_values();
  double state = domain.variables()[0].low;
  for (const double v : values) {
    set.add(features, {&state, 1}, v);
    ++state;
  }
  return set;
}

void EvaluationSet::add_value(double value) {
  if (!std::isfinite(value)) {
    throw InvalidArgument(fmt::format("evaluation set: the value {} of a state is not finite", value));
  }
  values_.push_back(value);
  weights_.clear();
}

void EvaluationSet::add(const FeatureMap& features, std::span<const double> state, double value) {
  add_value(value);
  features.append(state, x_, Moment::of_evaluation(size() - 1));
}

void EvaluationSet::weigh(std::span<const double> weights) {
  if (weights.size() != size()) {
    throw InvalidArgument(fmt::format("evaluation set: {} weights for {} states", weights.size(), size()));
  }
  double total = 0;
  for (const double c : weights) {
    if (!non_negative.contains(c)) {
      throw InvalidArgument(fmt::format("evaluation set: weight = {} is outside {}", c, non_negative.text()));
    }
    total += c;
  }
  if (!positive.contains(total)) {
    throw InvalidArgument(fmt::format("evaluation set: the sum of weights = {} is outside {}", total, positive.text()));
  }
  weights_.assign(weights.begin(), weights.end());
}

bool EvaluationSet::allows(ValueError metric) const {
  if (metric == ValueError::rmse) return true;
  constexpr double zero_share = 1e-9;
  double largest = 0;
  for (const double v : values_) largest = std::max(largest, std::abs(v));
  if (largest == 0) return false;
  for (std::size_t s = 0; s < size(); ++s) {
    const bool counts = weights_.empty() || weights_[s] > 0;
    if (counts && std::abs(values_[s]) <= zero_share * largest) return false;
  }
  return true;
}

ValueError EvaluationSet::suitable_error() const {
  const auto [low, high] = std::minmax_element(values_.begin(), values_.end());
  const bool one_sign = !values_.empty() && (*low > 0) == (*high > 0);
  return one_sign && allows(ValueError::relative) ? ValueError::relative : ValueError::rmse;
}

double value_error(ValueError metric, const EvaluationSet& set, std::span<const double> estimates) {
  if (set.size() == 0) throw InvalidArgument("evaluation set: there are no states");
  if (estimates.size() != set.size()) {
    throw InvalidArgument(fmt::format("evaluation set: {} estimates for {} states", estimates.size(), set.size()));
  }
  double sum = 0;
  double total = 0;
  for (std::size_t s = 0; s < estimates.size(); ++s) {
    const double c = set.weights().empty() ? 1.0 : set.weights()[s];
    if (c == 0) continue;  // a state of weight 0 may have v = 0
    const double difference = estimates[s] - set.values()[s];
    sum += c * (metric == ValueError::relative ? std::abs(difference / set.values()[s]) : difference * difference);
    total += c;
  }
  return metric == ValueError::relative ? sum / total : std::sqrt(sum / total);
}

Evaluator::Evaluator(EvaluationSet set) : set_(std::move(set)), metric_(set_.suitable_error()) {
  estimates_.resize(set_.size());
}

Evaluator::Evaluator(EvaluationSet set, ValueError metric) : Evaluator(std::move(set)) {
  require(metric);
  metric_ = metric;
}

void Evaluator::require(ValueError metric) const {
  if (set_.allows(metric)) return;
  throw InvalidArgument("evaluation set: metric = relative divides by the value of a state that is 0; use rmse");
}

void Evaluator::estimate(std::span<const double> w) { values_of(set_.rows(), w, estimates_); }

double Evaluator::operator()(std::span<const double> w) {
  estimate(w);
  return error(metric_);
}

namespace {

/// `value_error` of eight estimates for every state, side by side.
BELLWETHER_SIMD void eight_value_errors(ValueError metric, const EvaluationSet& set, const double* estimates,
                                        double* errors) {
  Eight sum{};
  double total = 0;
  for (std::size_t s = 0; s < set.size(); ++s) {
    const double c = set.weights().empty() ? 1.0 : set.weights()[s];
    if (c == 0) continue;
    const double v = set.values()[s];
    const Eight difference = Eight::load(estimates + 8 * s) - v;
    sum += c * (metric == ValueError::relative ? magnitude(difference / v) : difference * difference);
    total += c;
  }
  const Eight mean = sum / total;
  (metric == ValueError::relative ? mean : square_root(mean)).store(errors);
}

}  // namespace

void Evaluator::estimate_eight(std::span<const double> lanes) {
  eight_estimates_.resize(8 * set_.size());
  eight_values_of(set_.rows(), lanes, eight_estimates_);
}

void Evaluator::errors_of_eight(ValueError metric, std::span<double> results) const {
  double errors[Eight::width];
  eight_value_errors(metric, set_, eight_estimates_.data(), errors);
  std::copy_n(errors, results.size(), results.begin());
}

void Evaluator::eight(std::span<const double> lanes, std::span<double> results) {
  estimate_eight(lanes);
  errors_of_eight(metric_, results);
}

}  // namespace bellwether
