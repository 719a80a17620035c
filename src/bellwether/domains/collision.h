#pragma once

#include <cstdint>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

class Collision final : public FiniteDomain {
 public:
  static constexpr const char* name = "collision";
  static constexpr Doc doc{
      .summary = "A vehicle drives towards an obstacle: how soon would it collide if it never retreated?",
      .detail = R"(
states 1, ..., 8; start uniform in 1, ..., 4
forward:  i to i+1, reward 0, discount 0.9; from 8 the collision, reward 1, ends the episode
retreat:  ends the episode, reward 0
behaviour: forward in 1, ..., 4; in 5, ..., 8 forward or retreat with probability 1/2 each; target: forward always
rho: 1 in 1, ..., 4; then 2 for forward and 0 for retreat
v(i) = 0.9^(8-i)
visits: d_mu = (2, 4, 6, 8, 8, 4, 2, 1) / 35
features: 6 binary ones, of which 3 chosen at random are on in a state; a function of (seed, run)
)",
      .reference =
          "Ghiassian and Sutton (2021), An empirical comparison of off-policy prediction learning algorithms "
          "on the Collision task, arXiv:2106.00922",
      .note =
          "Six features cannot represent eight values, so the best error is above 0 and differs from run to run. "
          "Each state draws its features independently, as the published task does: in four runs out of five, "
          "two states share one of the 20 possible rows."};

  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };

  explicit Collision(const Params& params);

  std::string_view type() const override { return name; }
  Settings settings() const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override;
};

}  // namespace bellwether
