#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/data/steps.h>
#include <bellwether/metrics/effective_samples.h>
#include <bellwether/model/episodes.h>

namespace bellwether {

/// What a log is like, as far as it has been seen: for the summary, for warnings, and for the start states, over which
/// the value of a policy is the mean.
class LogStatistics {
 public:
  /// Room for the start states of `halves` halves of the episodes besides those of all.
  LogStatistics(std::size_t dim, std::size_t rewards, std::size_t halves);

  void add(const StepBlock& steps, const std::vector<Segment>& segments, const Episodes& episodes);
  void absorb(const LogStatistics& other);

  double effective_samples() const { return squares_ > 0 ? ratios_ * ratios_ / squares_ : 0; }
  double largest_ratio() const { return largest_ratio_; }
  double smallest_reward(std::size_t which) const { return low_[which]; }
  double largest_reward(std::size_t which) const { return high_[which]; }

  /// Features that were never anything but zero.
  std::size_t never_active() const;

  /// The mean features of the start states, of all episodes (0) or of a half (1, ...); of all states, where episodes do
  /// not end.
  std::vector<double> mean_start(std::size_t half) const;
  std::uint64_t starts(std::size_t half) const { return starts_[half]; }
  std::vector<double> mean_state() const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.ratios_, self.squares_, self.largest_ratio_, self.low_, self.high_, self.sum_, self.active_,
          self.start_sums_, self.starts_);
  }

 private:
  std::uint64_t steps_ = 0;
  double ratios_ = 0, squares_ = 0, largest_ratio_ = 0;
  std::vector<double> low_, high_;               // of each reward
  std::vector<double> sum_;                      // of x over all steps
  std::vector<std::uint8_t> active_;             // for each feature, whether it was ever anything but zero
  std::vector<std::vector<double>> start_sums_;  // of x over start states: of all, and of each half
  std::vector<std::uint64_t> starts_;
};

}  // namespace bellwether
