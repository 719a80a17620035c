#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/domains/support/energy_processes.h>

namespace bellwether::energy {

/// The effect of a decision: the reward is P * units, and the storage then holds `storage`.
struct Decision {
  std::uint8_t units;    // ed + rd + rm = D + rm - md
  std::uint8_t storage;  // R' = R + er - rd - rm

  bool operator==(const Decision&) const = default;
};

/// The effects of all feasible flows (ed, md, rd, er, rm) of a state, in the order of the published code: rm varies
/// slowest, then er, rd, md. They do not depend on the price. Up to 623 entries, many of them equal.
std::vector<Decision> feasible_decisions(std::size_t storage, std::size_t wind, std::size_t demand);

/// The policy that is optimal for 25 steps without discount, by exact backward dynamic programming:
///
///   V_25 = 0
///   W_t(R', E, P) = E[ V_{t+1}(R', E', P', D_{t+1}) ]
///   V_t(R, E, P, D) = max over feasible decisions of P units + W_t(R', E, P)
///
/// The decision is the first, in the order of feasible_decisions, whose value exceeds the best so far by more than
/// 1e-9. Of the decisions with the same R' only the one that sells most can win (P > 0), so at most 11 are compared.
class Policy {
 public:
  static constexpr std::size_t horizon = 25;
  static constexpr std::size_t hours = 24;  // the rows t = 0, ..., 23 of the table are kept

  explicit Policy(const Processes& processes);

  /// The decision of hour t in 0, ..., 23.
  Decision decision(std::size_t hour, const Cell& s) const { return row(hour, s.storage, s.wind, s.demand)[s.price]; }

  /// The decisions of hour t for all prices.
  const Decision* row(std::size_t hour, std::size_t storage, std::size_t wind, std::size_t demand) const {
    return &table_[(((hour * storages + storage) * winds + wind) * demands + demand) * prices];
  }

  /// V_0: the expected reward of 25 steps from this state under the optimal policy.
  double planned_value(const Cell& s) const;

 private:
  std::vector<Decision> table_;
  Surface first_;  // W_0
};

}  // namespace bellwether::energy
