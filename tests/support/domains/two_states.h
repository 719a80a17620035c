#pragma once

#include <bellwether/core/finite_domain.h>

namespace bellwether::testing {

/// Two states that lead to each other, a reward of 1 out of the first, discount 1/2 and one feature:
///
///   0 -> 1 reward 1,  1 -> 0 reward 0,  x = (1, 2),  d = (1/2, 1/2),  P = (0 1/2; 1/2 0)
///
/// Off-policy, behaviour stays with probability 1/2 and reward 7, which the target never does: rho is 0 or 2. d and the
/// target's P and r are the same as on-policy.
class TwoStates final : public FiniteDomain {
 public:
  explicit TwoStates(bool off_policy = false) : FiniteDomain(table(off_policy), 0, {"move", "stay"}) {}
  std::string_view type() const override { return "two states"; }
  Settings settings() const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t = 0, std::uint64_t = 0) const override {
    RowBuffer rows(Layout::dense, 1);
    rows.add_dense()[0] = 1;
    rows.add_dense()[0] = 2;
    return std::make_unique<TableFeatures>("two states", 0, std::move(rows));
  }

 private:
  static FiniteModel table(bool off_policy) {
    FiniteModel model{.states = 2, .start = {0.5, 0.5}, .arcs = {}};
    for (std::size_t s = 0; s < 2; ++s) {
      model.arcs.push_back({.from = s,
                            .to = 1 - s,
                            .probability = off_policy ? 0.5 : 1.0,
                            .reward = s == 0 ? 1.0 : 0.0,
                            .discount = 0.5,
                            .rho = off_policy ? 2.0 : 1.0});
      if (!off_policy) continue;
      model.arcs.push_back(
          {.from = s, .to = s, .probability = 0.5, .reward = 7, .discount = 0.5, .rho = 0, .pi = 0, .action = 1});
    }
    return model;
  }
};

}  // namespace bellwether::testing
