#pragma once

#include <cmath>
#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether {

/// The returns from the start states of episodes that ended, to compare their values with.
///
///   G = sum_t (rho_0 .. rho_t) (gamma_1 .. gamma_t) R_{t+1}           rho = 1 on-policy
///
/// Only episodes that ended count. One that was cut short has no return, and is left out when the next one begins.
class StartReturns {
 public:
  /// Adds the next steps, which continue those added before. A discount of zero ends an episode.
  void add(const Batch& steps) {
    for (std::size_t t = 0; t < steps.size; ++t) {
      if (steps.restart != nullptr && steps.restart[t] != 0) begin();
      weight_ *= steps.rho == nullptr ? 1.0 : steps.rho[t];
      sum_ += weight_ * steps.reward[t];
      weight_ *= steps.discount[t];
      if (steps.discount[t] != 0) continue;
      ++episodes_;
      total_ += sum_;
      squares_ += sum_ * sum_;
      begin();
    }
  }

  /// Adds the episodes of `other`, and continues the one that `other` is in.
  void absorb(const StartReturns& other) {
    episodes_ += other.episodes_;
    total_ += other.total_;
    squares_ += other.squares_;
    weight_ = other.weight_;
    sum_ = other.sum_;
  }

  /// How many episodes ended. With none, the mean and its standard error are not numbers.
  std::uint64_t episodes() const { return episodes_; }
  double mean() const { return total_ / static_cast<double>(episodes_); }

  /// sqrt((mean of G^2 - mean^2) / n): the standard deviation of the mean of n returns.
  double standard_error() const {
    const auto n = static_cast<double>(episodes_);
    return std::sqrt(std::fmax(0, squares_ / n - mean() * mean()) / n);
  }

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.episodes_, self.total_, self.squares_, self.weight_, self.sum_);
  }

 private:
  void begin() {
    weight_ = 1;
    sum_ = 0;
  }

  std::uint64_t episodes_ = 0;
  double total_ = 0, squares_ = 0;
  double weight_ = 1, sum_ = 0;  // of the current episode
};

}  // namespace bellwether
