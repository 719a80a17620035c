#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/support/rng.h>

namespace bellwether::bench {

/// Steps of a Markov chain that changes: a nonstationary stream whose true values are known at any time.
///
/// The 2 d states lie on a ring, each with four of d features between 0.5 and 1.5. The chain moves on with probability
/// 0.7 and jumps anywhere otherwise; a step ends an episode with probability 0.02 and has discount 0.95 otherwise, and
/// the trace goes on with the next state. `change` begins a new era: it draws an eighth of the features anew, and all
/// rewards, which lie in [0, 1).
class ChangingChain {
 public:
  static constexpr double discount = 0.95;
  static constexpr double end_probability = 0.02;
  static constexpr std::size_t active = 4;

  ChangingChain(std::size_t dim, std::uint64_t seed);

  void change();

  /// The next steps, valid until the next call.
  Batch next(std::size_t steps);

  /// Every state's features and its value in this era.
  FeatureRows states() const { return states_.view(); }
  const std::vector<double>& values() const { return values_; }

 private:
  struct Feature {
    std::uint32_t index;
    double value;
  };

  void draw_features(std::size_t state);
  void solve();

  std::size_t dim_;
  Rng rng_;
  std::vector<std::vector<Feature>> features_;  // by state
  std::vector<double> rewards_;
  std::vector<double> values_;
  RowBuffer states_;
  BatchBuffer buffer_;
  std::size_t at_ = 0;
};

}  // namespace bellwether::bench
