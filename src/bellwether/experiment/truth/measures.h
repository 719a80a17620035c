#pragma once

#include <cstdint>
#include <memory>

#include <bellwether/core/domain.h>
#include <bellwether/experiment/truth/ground_truth.h>
#include <bellwether/metrics/measure.h>
#include <bellwether/metrics/metric.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

class Exact;
class TransitionSample;

/// Makes the measures of one run, which share what they are computed from. The arguments must outlive it.
class Measures {
 public:
  /// Bellman errors that are estimated use steps of their own, a function of (seed, run).
  Measures(const Domain& domain, const FeatureMap& features, const GroundTruth& truth, const BellmanParams& bellman,
           std::uint64_t seed, std::uint64_t run);
  ~Measures();

  /// Throws InvalidArgument when the truth does not allow the metric.
  std::unique_ptr<Measure> make(Metric metric);

  /// The measure of an error of values; its estimates serve for errors by other metrics, too. Throws likewise.
  std::unique_ptr<Evaluator> make(ValueError error);

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
