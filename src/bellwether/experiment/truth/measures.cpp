#include <bellwether/experiment/truth/measures.h>

#include <bellwether/metrics/bellman_error.h>
#include <bellwether/metrics/effective_samples.h>
#include <bellwether/metrics/sampled_bellman.h>

namespace bellwether {

namespace {

/// Runs from this number on are for estimating Bellman errors; those below are for true values (ground_truth.cpp).
constexpr std::uint64_t first_run = std::uint64_t{1} << 40U;

}  // namespace

Measures::Measures(const Domain& domain, const FeatureMap& features, const GroundTruth& truth,
                   const BellmanParams& bellman, std::uint64_t seed, std::uint64_t run)
    : domain_(domain), features_(features), truth_(truth), bellman_(bellman), seed_(seed), run_(run) {}

Measures::~Measures() = default;

std::unique_ptr<Measure> Measures::exact(Metric metric) {
  if (!exact_) exact_ = std::make_unique<const Exact>(domain_, features_);
  if (metric == Metric::msbe) return std::make_unique<BellmanError>(BellmanError::mean_squared(*exact_));
  const double lambda = bellman_.bellman_lambda;
  if (metric == Metric::mspbe) return std::make_unique<BellmanError>(BellmanError::projected(*exact_, lambda));
  return std::make_unique<Evaluator>(fixed_point_distance(*exact_, lambda));
}

std::unique_ptr<Measure> Measures::sampled(Metric metric) {
  if (!sample_) {
    const auto steps = static_cast<std::size_t>(bellman_.bellman_steps);
    sample_ = std::make_shared<const TransitionSample>(domain_, features_, steps, seed_, first_run + run_);
  }
  if (metric == Metric::msbe) return std::make_unique<SampledBellmanError>(sample_);
  const double lambda = bellman_.bellman_lambda;
  if (metric == Metric::mspbe) return std::make_unique<SampledProjectedBellmanError>(sample_, lambda);
  return std::make_unique<Evaluator>(fixed_point_distance(*sample_, lambda));
}

std::unique_ptr<Evaluator> Measures::make(ValueError error) {
  return std::make_unique<Evaluator>(truth_.evaluation_set(features_), error);
}

std::unique_ptr<Measure> Measures::make(Metric metric) {
  if (const auto error = value_error_of(metric)) return make(*error);
  if (metric == Metric::effective_samples) return std::make_unique<EffectiveSamples>();
  return domain_.model() != nullptr ? exact(metric) : sampled(metric);
}

}  // namespace bellwether
