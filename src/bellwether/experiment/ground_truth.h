#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/parallel.h>
#include <bellwether/core/params.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

/// Where true values come from: the domain, which knows them, or rollouts of the target policy.
enum class Truth : std::uint8_t { exact, mc };
constexpr auto names(Truth) { return std::array{"exact", "mc"}; }

/// How states count: alike, or by the share of time that behaviour spends in them.
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

/// States with their true values.
///
///   trajectory   the domain runs with its behaviour policy, episode after episode, for `trajectory` steps
///   states       a sample of its states without replacement, so each as often as it is visited
///   values       exact, or means of `rollouts` returns G = r_1 + g_1 r_2 + g_1 g_2 r_3 + ... of the target policy
///
/// It does not depend on features, learners or the number of threads.
struct GroundTruth {
  std::size_t variables = 0;   // numbers of a state
  std::vector<double> states;  // one after another
  std::vector<double> values;
  std::vector<double> standard_error;  // of each value; 0 where it is exact
  std::vector<double> weights;         // of each state; empty: all count alike
  Truth truth = Truth::exact;

  std::size_t size() const { return values.size(); }
  std::span<const double> state(std::size_t i) const { return std::span(states).subspan(i * variables, variables); }

  /// The states as features, with their values.
  EvaluationSet evaluation_set(const FeatureMap& features) const;
};

/// Finds the states and their values on `jobs` threads.
///
/// Values that took work are kept in the directory `cache`, unless it is empty, in a file of their own, named after
/// everything that determines them: the domain and its parameters, the states, the parameters above, and a few
/// rollouts, so that a domain that was changed does not find the values of the old one. A file that is damaged or of
/// another format is not used and is written anew; a directory that cannot be written to is passed over.
///
/// Throws InvalidArgument when exact values are asked for and not known, or when an episode has no end.
GroundTruth ground_truth(const Domain& domain, const EvaluationParams& params, unsigned jobs = 1,
                         const std::filesystem::path& cache = {}, const Progress& progress = {});

}  // namespace bellwether
