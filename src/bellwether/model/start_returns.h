#pragma once

#include <cmath>
#include <cstdint>

#include <bellwether/core/batch.h>

namespace bellwether {

/// The returns from the start states of episodes that ended, to compare their values with.
///
///   G = sum_t (rho_0 .. rho_t) (gamma_1 .. gamma_t) R_{t+1}           rho = 1 on-policy
class StartReturns {
 public:
  /// The next steps.
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

  void absorb(const StartReturns& other) {
    episodes_ += other.episodes_;
    total_ += other.total_;
    squares_ += other.squares_;
    weight_ = other.weight_;
    sum_ = other.sum_;
  }

  std::uint64_t episodes() const { return episodes_; }
  double mean() const { return total_ / static_cast<double>(episodes_); }
  double standard_error() const {
    const auto n = static_cast<double>(episodes_);
    return std::sqrt(std::fmax(0, squares_ / n - mean() * mean()) / n);
  }

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
