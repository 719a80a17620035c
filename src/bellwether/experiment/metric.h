#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params.h>
#include <bellwether/experiment/ground_truth.h>
#include <bellwether/metrics/measure.h>

namespace bellwether {

class Exact;
class TransitionSample;

/// What can be recorded of a learner along a run.
///
///   relative           mean |v^ - v| / |v| over the evaluation states       metrics/value_error.h
///   rmse               root mean squared error of the values
///   msbe               mean squared Bellman error                           metrics/bellman_error.h
///   mspbe              mean squared projected Bellman error
///   fixed_point        root mean squared distance from the values that TD(lambda) and LSTD(lambda) tend to
///   effective_samples  steps so far, as many as on-policy ones they are worth      metrics/effective_samples.h
///
/// The three in the middle are exact for finite chains, and estimated from a long trajectory elsewhere.
enum class Metric : std::uint8_t { relative, rmse, msbe, mspbe, fixed_point, effective_samples };
constexpr auto names(Metric) {
  return std::array{"relative", "rmse", "msbe", "mspbe", "fixed_point", "effective_samples"};
}

/// "relative error", for tables and axes.
std::string title(Metric metric);

/// How Bellman errors are measured.
struct BellmanParams {
  double bellman_lambda = 0;
  std::int64_t bellman_steps = 10000;

  static constexpr auto fields() {
    using P = BellmanParams;
    return std::tuple{Field("bellman_lambda", &P::bellman_lambda, unit, "lambda of mspbe and fixed_point"),
                      Field("bellman_steps", &P::bellman_steps, between(1, 1e7),
                            "steps to estimate msbe, mspbe and fixed_point from where a chain is not finite; take "
                            "several times the number of features")};
  }
};

/// Throws InvalidArgument when a metric cannot be had with so many features: Bellman errors of chains that are not
/// finite need at least twice as many steps as features, or they are mostly bias, and the fixed point at most 4096
/// features.
void check_metric(Metric metric, const Domain& domain, std::size_t dim, const BellmanParams& params);

/// Whether true values are needed; they are to choose a metric when there is none.
bool needs_truth(const std::vector<Metric>& metrics);

/// Makes the measures of one run, which share what they are made from. What is passed must outlive it.
class Measures {
 public:
  /// Bellman errors that are estimated take steps of their own, a function of (seed, run).
  Measures(const Domain& domain, const FeatureMap& features, const GroundTruth& truth, const BellmanParams& bellman,
           std::uint64_t seed, std::uint64_t run);
  ~Measures();

  /// Throws InvalidArgument when the truth does not allow the metric.
  std::unique_ptr<Measure> make(Metric metric);

 private:
  std::unique_ptr<Measure> exact(Metric metric);
  std::unique_ptr<Measure> sampled(Metric metric);

  const Domain& domain_;
  const FeatureMap& features_;
  const GroundTruth& truth_;
  const BellmanParams& bellman_;
  std::uint64_t seed_;
  std::uint64_t run_;
  std::unique_ptr<const Exact> exact_;
  std::shared_ptr<const TransitionSample> sample_;
};

}  // namespace bellwether
