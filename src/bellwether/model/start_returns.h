#pragma once

#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether {

/// The returns from the start states of episodes that ended, to compare their values with.
///
///   G = sum_t (rho_0 .. rho_t) (gamma_1 .. gamma_t) R_{t+1}           rho = 1 on-policy
///
/// Only episodes that ended and are known from their start count. One that was cut short has no return, and is left out
/// when the next one begins. If long episodes are the ones that are cut short, the mean is biased towards the short
/// ones.
///
/// This is Monte Carlo evaluation, with no features and no learner: unbiased where all episodes end, but noisy, and
/// off-policy very noisy, as G then contains a product of ratios. It is the check on a learned value: the two should
/// agree within their errors, and `learn` warns when they do not.
class StartReturns {
 public:
  /// Adds the next steps, which continue those added before. A discount of zero ends an episode.
  void add(const Batch& steps);

  /// Adds the episodes of `other`, and continues the one that `other` is in.
  void absorb(const StartReturns& other);

  /// How many episodes ended. With none, the mean and its standard error are not numbers.
  std::uint64_t episodes() const { return episodes_; }
  double mean() const { return total_ / static_cast<double>(episodes_); }  // in the unit of the reward

  /// sqrt((mean of G^2 - mean^2) / n): the standard deviation of the mean of n returns.
  double standard_error() const;

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.episodes_, self.total_, self.squares_, self.weight_, self.sum_, self.from_start_);
  }

 private:
  void begin();

  std::uint64_t episodes_ = 0;
  double total_ = 0;        // of the returns
  double squares_ = 0;      // of the returns
  double weight_ = 1;       // of the current episode: the product of ratios and discounts
  double sum_ = 0;          // of the current episode: its return so far
  bool from_start_ = true;  // of the current episode: its first step is known
};

}  // namespace bellwether
