#include <bellwether/domains/collision.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace bellwether {

namespace {

constexpr std::size_t collision_states = 8;
constexpr int forward = 0;
constexpr int retreat = 1;

/// Row s of the table is state s + 1.
FiniteModel road() {
  constexpr double discount = 0.9;
  FiniteModel model;
  model.states = collision_states;
  model.start = {0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0};
  for (std::size_t s = 0; s < collision_states; ++s) {
    const bool collides = s + 1 == collision_states;
    const double p = s < collision_states / 2 ? 1.0 : 0.5;  // behaviour's probability of forward
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

}  // namespace

Collision::Collision(const Params&) : FiniteDomain(road(), 1, {"forward", "retreat"}) {}

std::unique_ptr<FeatureMap> Collision::features(std::uint64_t seed, std::uint64_t run) const {
  constexpr std::size_t features = 6;
  constexpr std::size_t ones = 3;
  Rng rng(seed, run, Purpose::features);
  RowBuffer rows(Layout::binary, features);
  for (std::size_t s = 0; s < collision_states; ++s) {
    std::array<std::uint32_t, features> order;
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = 0; i < ones; ++i) std::swap(order[i], order[i + rng.below(features - i)]);
    std::sort(order.begin(), order.begin() + ones);
    for (std::size_t i = 0; i < ones; ++i) rows.add(order[i]);
    rows.end_row();
  }
  return std::make_unique<TableFeatures>(name, 1, std::move(rows));
}

}  // namespace bellwether
