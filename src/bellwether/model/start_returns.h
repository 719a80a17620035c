#pragma once

#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether {

/// The returns from the start states of episodes that ended, to compare their values with.
///
///   G = sum_t (rho_0 .. rho_t) (gamma_1 .. gamma_t) R_{t+1}           rho = 1 on-policy
///
/// Only episodes that ended and are known from their start count. One that was cut short has no return: it is left out,
/// and counted, when the next one begins. Long episodes are more likely to be cut short, so where some are, the mean is
/// biased towards the short ones, and need not agree with the value.
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
  /// How many were cut short, or have not ended yet.
  std::uint64_t cut_short() const { return cut_short_ + (is_open() ? 1 : 0); }

  /// How many steps those that ended took on average, and those that were cut short so far.
  double mean_length() const { return static_cast<double>(steps_ended_) / static_cast<double>(episodes_); }
  double mean_length_cut() const {
    return static_cast<double>(steps_cut_ + (is_open() ? length_ : 0)) / static_cast<double>(cut_short());
  }

  /// Whether a ratio other than 1 weighted a return.
  bool weighted() const { return weighted_; }

  double mean() const { return total_ / static_cast<double>(episodes_); }  // in the unit of the reward

  /// sqrt((mean of G^2 - mean^2) / (n - 1)): the standard deviation of the mean of n returns. Not a number for one.
  double standard_error() const;
  /// Half the width of the 95 % interval around the mean, by Student's t. Not a number for one return.
  double half_width() const;

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.episodes_, self.total_, self.squares_, self.weight_, self.sum_, self.from_start_, self.cut_short_,
          self.steps_ended_, self.steps_cut_, self.length_, self.weighted_);
  }

 private:
  void begin();
  void count_as_cut();
  bool is_open() const { return length_ > 0 && from_start_; }

  std::uint64_t episodes_ = 0;
  double total_ = 0;        // of the returns
  double squares_ = 0;      // of the returns
  double weight_ = 1;       // of the current episode: the product of ratios and discounts
  double sum_ = 0;          // of the current episode: its return so far
  bool from_start_ = true;  // of the current episode: its first step is known
  std::uint64_t cut_short_ = 0;
  std::uint64_t steps_ended_ = 0;  // of the episodes that ended
  std::uint64_t steps_cut_ = 0;    // of those that were cut short
  std::uint64_t length_ = 0;       // of the current episode: its steps so far
  bool weighted_ = false;
};

}  // namespace bellwether
