#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <bellwether/core/params/field.h>

namespace bellwether {

/// Where true values come from: the domain, which knows them, or rollouts of the target policy (`mc`, Monte Carlo).
enum class Truth : std::uint8_t { exact, mc };
constexpr auto names(Truth) { return std::array{"exact", "mc"}; }

/// How states count: all alike, or by the share of time that the behaviour policy spends in them. `visits` weighs them
/// as learners do, which learn most about what they see most; `uniform` asks about rare states too.
enum class StateWeights : std::uint8_t { uniform, visits };
constexpr auto names(StateWeights) { return std::array{"uniform", "visits"}; }

/// On which states learners are judged, and how their true values are found: the `[evaluation]` table of a study file,
/// together with BellmanParams (metrics/metric.h). The defaults suit every domain of the library.
///
///     study.evaluation = {.states = 500, .rollouts = 2000};  // fewer states, more exactly
///
/// What it costs and what it buys, where values are not known:
///
///   work              states x rollouts episodes; shared by all learners, spread over threads, kept in a cache
///   error of a value  (standard deviation of a return) / sqrt(rollouts): four times the rollouts, half the error
///   floor             a learner whose values are exact still shows an error of this size, so an rmse below it says
///                     nothing; GroundTruth::standard_error has it for each state
///   horizon           cuts rollouts short, in steps: what a policy earns later is left out, which is a bias. Needed
///                     only where episodes do not end and rewards are not discounted; without it, a rollout of ten
///                     million steps is an error.
///
/// `auto` values (an empty std::optional) depend on the domain, as the sentences below say. Known values beat rollouts
/// whenever there are any: they are exact, and cost nothing for finite chains. Another `truth_seed` takes other states
/// and other rollouts; results with different seeds are not quite comparable.
struct EvaluationParams {
  std::optional<std::int64_t> states = std::nullopt;      // a number: a sample, also of a finite chain
  std::optional<std::int64_t> trajectory = std::nullopt;  // at least as many as states
  StateWeights weights = StateWeights::uniform;           // only where every state is taken
  std::optional<Truth> truth = std::nullopt;
  std::int64_t rollouts = 500;                         // of each state
  std::optional<std::int64_t> horizon = std::nullopt;  // in steps
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
