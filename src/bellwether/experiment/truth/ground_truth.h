#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/support/parallel.h>
#include <bellwether/metrics/evaluation_params.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

/// States with their true values.
///
///   trajectory   the domain runs with its behaviour policy, episode after episode, for `trajectory` steps
///   states       a sample of its states without replacement, so each as often as it is visited
///   values       exact, or means of `rollouts` returns G = r_1 + g_1 r_2 + g_1 g_2 r_3 + ... of the target policy
///
/// Of a finite chain, every state is taken once instead of a sample, unless a number of states is asked for.
///
/// The ground truth does not depend on features, learners or the number of threads. States are numbers as the domain
/// gives them, hidden ones included.
///
///     const auto car = make_domain("mountain_car");
///     const GroundTruth truth = ground_truth(*car, {.states = 200, .rollouts = 100}, /*jobs=*/2);
///     Evaluator error(truth.evaluation_set(*car->features()));
struct GroundTruth {
  std::size_t variables = 0;   // numbers of a state
  std::vector<double> states;  // one after another
  std::vector<double> values;
  std::vector<double> standard_error;  // of each value; 0 where it is exact
  std::vector<double> weights;         // of each state; empty: all count alike
  Truth truth = Truth::exact;          // where the values come from

  std::size_t size() const { return values.size(); }
  std::span<const double> state(std::size_t i) const { return std::span(states).subspan(i * variables, variables); }

  /// The states as features, with their values.
  EvaluationSet evaluation_set(const FeatureMap& features) const;
};

/// Finds the states and their values on `jobs` threads.
///
/// Values that took work are kept in the directory `cache`, unless it is empty: in a file named after everything that
/// determines them, which is the domain and its parameters, the states, the parameters above, and a few rollouts (so
/// that a domain that was changed does not find the values of the old one). A file that is damaged or of another format
/// is replaced; a directory that cannot be written to is ignored.
///
/// Throws InvalidArgument when exact values are asked for and not known, or when an episode does not end.
GroundTruth ground_truth(const Domain& domain, const EvaluationParams& params, unsigned jobs = 1,
                         const std::filesystem::path& cache = {}, const Progress& progress = {});

}  // namespace bellwether
