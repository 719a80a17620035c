#pragma once

#include <cstddef>
#include <vector>

#include <bellwether/domains/support/energy_policy.h>

namespace bellwether::energy {

/// The hours of the policy and of demand on a common clock, which counts phases from 0 to 599.
struct Clocks {
  static constexpr std::size_t period = Policy::hours * demand_period;  // 24 and 25 have no common factor

  std::size_t demand_hours;  // 25, or 24 when demand follows the policy's day

  std::size_t policy_hour(std::size_t phase) const { return phase % Policy::hours; }
  std::size_t demand_hour(std::size_t phase) const { return phase % demand_hours; }
};

/// The exact discounted values of the policy, for every state and phase of the clocks:
///
///   v_t(s)        = P units + discount W_t(R', E, P)                 (units, R') = policy(t, s)
///   W_t(R', E, P) = E[ v_{t+1}(R', E', P', D') ]                     W_{t+600} = W_t
///
/// Only W is iterated and kept, 8,897 numbers per phase (50 MB in all). A pass backwards through the period, from a
/// guess G of W_600, ends in W_0 = T G. What it finds k phases before the guess is wrong by discount^k times a number
/// between the smallest and the largest entry of (T G - G) / (1 - discount^600). The chain forgets its state in far
/// less than a period, so these two bounds meet after the second pass (the third or fourth if prices rarely jump). Then
/// their middle is added, and no more passes are needed.
class Values {
 public:
  /// The largest error of a value, relative to the largest value. Rounding alone causes less than a tenth of it.
  static constexpr double tolerance = 1e-12;

  Values(const Processes& processes, const Policy& policy, Clocks clocks, double discount);

  double operator()(std::size_t phase, const Cell& s) const {
    const Decision d = policy_.decision(clocks_.policy_hour(phase), s);
    return s.price_value() * d.units + discount_ * next_[phase].row(d.storage, s.wind)[s.price];
  }

 private:
  /// Fills every phase from the guess for the phase after the last.
  void pass(const Processes& processes, const Surface& guess);

  const Policy& policy_;
  Clocks clocks_;
  double discount_;
  std::vector<Surface> next_;  // W of each phase
};

}  // namespace bellwether::energy
