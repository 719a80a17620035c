#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <bellwether/core/params/field.h>

namespace bellwether {

/// Where true values come from: the domain, which knows them, or rollouts of the target policy.
enum class Truth : std::uint8_t { exact, mc };
constexpr auto names(Truth) { return std::array{"exact", "mc"}; }

/// How states count: all alike, or by the share of time that the behaviour policy spends in them.
enum class StateWeights : std::uint8_t { uniform, visits };
constexpr auto names(StateWeights) { return std::array{"uniform", "visits"}; }

/// On which states learners are judged, and how their true values are found.
struct EvaluationParams {
  std::optional<std::int64_t> states = std::nullopt;
  std::optional<std::int64_t> trajectory = std::nullopt;
  StateWeights weights = StateWeights::uniform;
  std::optional<Truth> truth = std::nullopt;
  std::int64_t rollouts = 500;
  std::optional<std::int64_t> horizon = std::nullopt;
  std::int64_t truth_seed = 1;

  static constexpr auto fields() {
    using P = EvaluationParams;
    return std::tuple{
        Field("states", &P::states, between(1, 1e7),
              "states to judge on; auto: every state of a finite chain, 2000 elsewhere"),
        Field("trajectory", &P::trajectory, between(1, 1e9), "steps to sample them from; auto: ten times as many"),
        Field("weights", &P::weights,
              "how every state of a finite chain counts; sampled states come as often as they are visited anyway"),
        Field("truth", &P::truth, "true values: known or by Monte Carlo; auto: known where they are"),
        Field("rollouts", &P::rollouts, between(2, 1e9), "returns averaged per state by Monte Carlo"),
        Field("horizon", &P::horizon, between(1, 1e9),
              "steps of a rollout; auto: until the episode ends or discounts multiply to 1e-5"),
        Field("truth_seed", &P::truth_seed, at_least(0), "seed of the states and their rollouts")};
  }
};

}  // namespace bellwether
