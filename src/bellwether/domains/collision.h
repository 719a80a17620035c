#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>

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

  explicit Collision(const Params&) : FiniteDomain(road(), 1, {"forward", "retreat"}) {}

  std::string_view type() const override { return name; }
  Settings settings() const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override {
    constexpr std::size_t dim = 6;
    constexpr std::size_t ones = 3;
    Rng rng(seed, run, Purpose::features);
    RowBuffer rows(Layout::binary, dim);
    for (std::size_t s = 0; s < size; ++s) {
      std::array<std::uint32_t, dim> order;
      std::iota(order.begin(), order.end(), 0U);
      for (std::size_t i = 0; i < ones; ++i) std::swap(order[i], order[i + rng.below(dim - i)]);
      std::sort(order.begin(), order.begin() + ones);
      for (std::size_t i = 0; i < ones; ++i) rows.add(order[i]);
      rows.end_row();
    }
    return std::make_unique<TableFeatures>(name, 1, std::move(rows));
  }

 private:
  static constexpr std::size_t size = 8;
  static constexpr int forward = 0;
  static constexpr int retreat = 1;

  /// Row s of the table is state s + 1.
  static FiniteModel road() {
    constexpr double discount = 0.9;
    FiniteModel model;
    model.states = size;
    model.start = {0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0};
    for (std::size_t s = 0; s < size; ++s) {
      const bool collides = s + 1 == size;
      const double p = s < size / 2 ? 1.0 : 0.5;  // behaviour's probability of forward
      model.arcs.push_back({.from = s,
                            .to = collides ? s : s + 1,
                            .probability = p,
                            .reward = collides ? 1.0 : 0.0,
                            .discount = collides ? 0.0 : discount,
                            .rho = 1 / p,
                            .pi = 1,
                            .action = forward});
      if (p == 1) continue;
      model.arcs.push_back(
          {.from = s, .to = s, .probability = 1 - p, .reward = 0, .discount = 0, .rho = 0, .pi = 0, .action = retreat});
    }
    return model;
  }
};

}  // namespace bellwether
