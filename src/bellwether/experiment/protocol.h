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

/// What all learners of a case go through: the same steps, judged by the same metrics at the same moments. Run r is a
/// function of the protocol and r, so a difference between two learners on the same run is no difference of luck.
///
/// `PreparedStudy` fills it in (PreparedStudy::Case::protocol); a program reads it, to find out for instance which
/// features a run had. What it points to must outlive it.
struct Protocol {
  const Domain* domain = nullptr;      // not owned
  std::string features;                // description (features/feature_maps.h); empty: the domain's own
  Settings feature_settings;           // parameters that the description leaves out
  const GroundTruth* truth = nullptr;  // states to judge on; not owned
  std::vector<Metric> metrics;         // the first ranks settings
  BellmanParams bellman;
  std::uint64_t truth_seed = 1;   // of the steps that Bellman errors are estimated from
  std::uint64_t seed = 1;         // of trajectories and random features, together with the number of the run
  std::vector<std::uint64_t> at;  // steps learned when metrics are recorded, ascending; the last ends a run
  double most_bytes = 256e6;      // of memory for recorded steps; a longer run is simulated again for every learner

  /// The features of a run, made anew: random ones differ from run to run.
  std::shared_ptr<const FeatureMap> features_of(std::uint64_t run) const;
};

/// Steps learned when metrics are recorded: 0, every, 2 every, ..., steps. The end is always among them, also when
/// `every` does not divide `steps`.
std::vector<std::uint64_t> measuring_steps(std::uint64_t steps, std::uint64_t every);

}  // namespace bellwether
