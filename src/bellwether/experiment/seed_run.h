#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <bellwether/experiment/protocol.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/experiment/truth/measures.h>
#include <bellwether/learners/sharing/ensemble.h>

namespace bellwether {

/// One seed of one setting: what the learner achieved.
struct Trial {
  std::vector<std::vector<double>> curves;   // of each metric, its values along the run
  std::optional<std::uint64_t> diverged_at;  // step
  double seconds = 0;                        // processor time for learning; its share when it learned with others
  Settings findings;                         // what the learner chose or noticed

  /// For writing and reading (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.curves, self.diverged_at, self.seconds, self.findings);
  }
};

/// One run of a domain, for any number of learners, one after another: its steps are simulated and recorded once, and
/// its measures are made once. (A run that would take more than the protocol's `most_bytes` is simulated again for
/// every learner.)
///
/// It is a function of (protocol, run): results do not depend on who else learns from it.
class SeedRun {
 public:
  /// Told how many steps were just learned; may throw to give up.
  using Tick = std::function<void(std::uint64_t steps)>;

  SeedRun(const Protocol& protocol, std::uint64_t run);

  std::size_t dim() const { return features_->dim(); }

  /// Lets an ensemble, which must not have learned before, learn from the run; returns the trials of its members.
  std::vector<Trial> follow(Ensemble& ensemble, const Tick& tick = {});

  /// The first n steps, or as many as there are at once, for timing. Valid until the next call of a member function.
  Batch sample(std::size_t n);

 private:
  Batch piece(std::uint64_t t, std::uint64_t until);
  void measure(Ensemble& ensemble, std::vector<Trial>& trials);
  void begin();

  const Protocol& protocol_;
  std::uint64_t run_;
  std::shared_ptr<const FeatureMap> features_;
  Measures maker_;
  std::unique_ptr<Evaluator> values_;  // for all metrics that are errors of values, from the same estimates
  std::vector<std::unique_ptr<Measure>> measures_;  // for the other metrics; null for those
  std::vector<double> initial_;  // weights that the domain prescribes for its own features; empty: zero
  std::unique_ptr<Stream> stream_;
  std::optional<Batch> recorded_;
  Ensemble::Lanes lanes_;
};

}  // namespace bellwether
