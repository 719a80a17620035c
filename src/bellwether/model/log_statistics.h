#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>
#include <bellwether/metrics/effective_samples.h>
#include <bellwether/model/episodes.h>

namespace bellwether {

/// Statistics of the steps seen so far: importance ratios, ranges of rewards, which features were active, and the mean
/// features of the start states. Values are linear, so these are all that the value of the policy needs:
///
///   mean of v(s) over start states = w . (mean of x(s) over start states)
///
/// A model keeps one (Model::statistics) and warns by it; it is the place to look when a value seems odd:
///
///     const LogStatistics& seen = model.statistics();
///     std::printf("rewards from %g to %g\n", seen.smallest_reward(0), seen.largest_reward(0));
///     std::printf("%zu features were never active\n", seen.never_active());
///
/// Steps that are held out count too. Memory is O(d (halves + 1)), whatever the length of the log.
class LogStatistics {
 public:
  /// Start states are counted for all episodes and for each of `halves` random halves of them.
  LogStatistics(std::size_t dim, std::size_t rewards, std::size_t halves);

  /// Adds the next steps, with the segments that `episodes` has split them into.
  void add(const StepBlock& steps, const std::vector<Segment>& segments, const Episodes& episodes);

  /// Adds the statistics of other steps; dimension, rewards and halves must be the same.
  void absorb(const LogStatistics& other);

  double effective_samples() const { return samples_.count(); }  // (sum rho)^2 / sum rho^2
  double largest_ratio() const { return largest_ratio_; }        // largest rho; 1 on-policy, 0 before the first step

  /// The range of a reward, by its index in Recipe::rewards(); before the first step, infinity to -infinity.
  double smallest_reward(std::size_t which) const { return low_[which]; }
  double largest_reward(std::size_t which) const { return high_[which]; }

  /// How often a feature was met, counted so that a feature of 0 or 1 counts the steps from states that have it:
  ///
  ///   n_j = sum_t min(rho_t, 1) x_tj^2
  ///
  /// Steps that the target policy never takes (rho = 0) teach nothing, so they do not count.
  double visits(std::size_t feature) const { return visits_[feature]; }

  /// The number of features without a visit: nothing was learned about their weights.
  std::size_t never_active() const;

  /// The mean features of the start states of all episodes (0) or of a half (1, ...), and how many there are. All zero
  /// where there are none.
  std::vector<double> mean_start(std::size_t half) const;
  std::uint64_t starts(std::size_t half) const { return starts_[half]; }

  /// The mean features of all states that steps start from; the value of a policy whose episodes never end.
  std::vector<double> mean_state() const;

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.samples_, self.largest_ratio_);
    visit.sized(self.low_, self.high_, self.sum_, self.visits_);
    visit(self.start_sums_);
    visit.sized(self.starts_);
    visit.require([&] { return self.fits(); });
  }

 private:
  /// Whether the sums that were read are of this many features and halves.
  bool fits() const;

  template <class X>
  void add_states(const FeatureRows& x, const std::vector<double>& rho);

  std::uint64_t steps_ = 0;
  EffectiveSamples samples_;
  double largest_ratio_ = 0;
  std::vector<double> low_, high_;               // of each reward
  std::vector<double> sum_;                      // sum of x over all steps
  std::vector<double> visits_;                   // n of each feature
  std::vector<std::vector<double>> start_sums_;  // sum of x over start states: of all, and of each half
  std::vector<std::uint64_t> starts_;
};

}  // namespace bellwether
