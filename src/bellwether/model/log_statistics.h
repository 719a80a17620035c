#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>
#include <bellwether/metrics/effective_samples.h>
#include <bellwether/model/episodes.h>

namespace bellwether {

/// Statistics of the steps seen so far: importance ratios, ranges of rewards, which features were active, and the mean
/// features of the start states, whose value is the value of the policy.
class LogStatistics {
 public:
  /// Start states are counted for all episodes and for each of `halves` random halves of them.
  LogStatistics(std::size_t dim, std::size_t rewards, std::size_t halves);

  void add(const StepBlock& steps, const std::vector<Segment>& segments, const Episodes& episodes);
  void absorb(const LogStatistics& other);

  double effective_samples() const { return samples_.count(); }
  double largest_ratio() const { return largest_ratio_; }
  double smallest_reward(std::size_t which) const { return low_[which]; }
  double largest_reward(std::size_t which) const { return high_[which]; }

  /// The number of features that were zero in every state.
  std::size_t never_active() const;

  /// The mean features of the start states of all episodes (0) or of a half (1, ...).
  std::vector<double> mean_start(std::size_t half) const;
  std::uint64_t starts(std::size_t half) const { return starts_[half]; }

  /// The mean features of all states.
  std::vector<double> mean_state() const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.samples_, self.largest_ratio_, self.low_, self.high_, self.sum_, self.active_,
          self.start_sums_, self.starts_);
  }

 private:
  std::uint64_t steps_ = 0;
  EffectiveSamples samples_;
  double largest_ratio_ = 0;
  std::vector<double> low_, high_;               // of each reward
  std::vector<double> sum_;                      // sum of x over all steps
  std::vector<std::uint8_t> active_;             // for each feature, whether it was ever different from zero
  std::vector<std::vector<double>> start_sums_;  // sum of x over start states: of all, and of each half
  std::vector<std::uint64_t> starts_;
};

}  // namespace bellwether
