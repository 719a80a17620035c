#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/experiment/measures.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/sharing/ensemble.h>

namespace bellwether {

/// What learners of a comparison are put through: the same steps, judged by the same metrics at the same moments. What
/// it points to must outlive it.
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
  double most_bytes = 256e6;      // of steps that are kept

  std::shared_ptr<const FeatureMap> features_of(std::uint64_t run) const;
};

/// Steps learned when metrics are recorded: 0, every, 2 every, ..., steps.
std::vector<std::uint64_t> measuring_steps(std::uint64_t steps, std::uint64_t every);

/// What came of one learner in one run.
struct Trial {
  std::vector<std::vector<double>> metrics;  // of each metric, its values along the run
  std::optional<std::uint64_t> diverged_at;
  double seconds = 0;  // of processor time for learning; its share when it learned with others
  Settings findings;
};

/// One run of a domain, for any number of learners, one after another: its steps are simulated once and recorded, its
/// measures made once. (A run that would take more than the protocol's `most_bytes` is simulated again for everyone.)
///
/// A function of (protocol, run): results do not depend on who else learns from it.
class SeedRun {
 public:
  /// Told how many steps were just learned; may throw to give up.
  using Tick = std::function<void(std::uint64_t steps)>;

  SeedRun(const Protocol& protocol, std::uint64_t run);

  std::size_t dim() const { return features_->dim(); }

  /// The trials of the ensemble's members. It must not have learned before.
  std::vector<Trial> follow(Ensemble& ensemble, const Tick& tick = {});

  /// The first n steps, or as many as are recorded, for timing. Valid until the next call of a member.
  Batch sample(std::size_t n);

 private:
  Batch piece(std::uint64_t t, std::uint64_t until);
  void begin();

  const Protocol& protocol_;
  std::uint64_t run_;
  std::shared_ptr<const FeatureMap> features_;
  Measures maker_;
  std::vector<std::unique_ptr<Measure>> measures_;
  std::vector<double> initial_;  // weights that the domain gives to learners on its own features, or none
  std::unique_ptr<Stream> stream_;
  std::optional<Batch> recorded_;
  std::vector<double> lanes_;
};

}  // namespace bellwether
