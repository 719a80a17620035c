#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/experiment/truth/ground_truth.h>
#include <bellwether/metrics/metric.h>

namespace bellwether {

/// What all learners of a case go through: the same steps, judged by the same metrics at the same moments. What it
/// points to must outlive it.
struct Protocol {
  const Domain* domain = nullptr;
  std::string features;  // description (features/feature_maps.h); empty: the domain's own
  Settings feature_settings;
  const GroundTruth* truth = nullptr;
  std::vector<Metric> metrics;
  BellmanParams bellman;
  std::uint64_t truth_seed = 1;
  std::uint64_t seed = 1;
  std::vector<std::uint64_t> at;  // steps learned when metrics are recorded, ascending; the last ends a run
  double most_bytes = 256e6;      // of memory for recorded steps

  std::shared_ptr<const FeatureMap> features_of(std::uint64_t run) const;
};

/// Steps learned when metrics are recorded: 0, every, 2 every, ..., steps.
std::vector<std::uint64_t> measuring_steps(std::uint64_t steps, std::uint64_t every);

}  // namespace bellwether
