#include <bellwether/experiment/metric.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/metrics/bellman_error.h>
#include <bellwether/metrics/effective_samples.h>
#include <bellwether/metrics/sampled_bellman.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

namespace {

/// Runs of this seed are for estimating Bellman errors; those below find true values (ground_truth.cpp).
constexpr std::uint64_t first_run = std::uint64_t{1} << 40U;

}  // namespace

std::string title(Metric metric) {
  switch (metric) {
    case Metric::relative: return "relative error";
    case Metric::fixed_point: return "distance to fixed point";
    case Metric::effective_samples: return "effective samples";
    default: return detail::format(metric);
  }
}

void check_metric(Metric metric, const Domain& domain, std::size_t dim, const BellmanParams& params) {
  if (domain.model() != nullptr || (metric != Metric::mspbe && metric != Metric::fixed_point)) return;
  constexpr std::size_t most = 4096;
  if (metric == Metric::fixed_point && dim > most) {
    throw InvalidArgument(fmt::format("metric fixed_point: the number of features = {} is outside [1, {}]", dim, most));
  }
  if (static_cast<std::size_t>(params.bellman_steps) < 2 * dim) {
    throw InvalidArgument(
        fmt::format("metric {}: bellman_steps = {} is less than twice the {} features, so it would be mostly bias",
                    detail::format(metric), params.bellman_steps, dim));
  }
}

bool needs_truth(const std::vector<Metric>& metrics) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(), [](Metric metric) {
           return metric == Metric::relative || metric == Metric::rmse;
         });
}

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

std::unique_ptr<Measure> Measures::make(Metric metric) {
  switch (metric) {
    case Metric::relative:
    case Metric::rmse: {
      const ValueError error = metric == Metric::rmse ? ValueError::rmse : ValueError::relative;
      return std::make_unique<Evaluator>(truth_.evaluation_set(features_), error);
    }
    case Metric::effective_samples: return std::make_unique<EffectiveSamples>();
    default: return domain_.model() != nullptr ? exact(metric) : sampled(metric);
  }
}

}  // namespace bellwether
