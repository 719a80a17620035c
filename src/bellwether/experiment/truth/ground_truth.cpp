#include <bellwether/experiment/truth/ground_truth.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/params.h>
#include <bellwether/core/support/hash.h>
#include <bellwether/core/version.h>
#include <bellwether/experiment/truth/value_cache.h>

namespace bellwether {

namespace {

/// Which sequence of random numbers is for what; rollouts of state i use `first_rollout + i`.
enum Run : std::uint64_t { trajectory_run, choice_run, first_rollout };

Rng random_numbers(const EvaluationParams& params, std::uint64_t run) {
  return Rng(static_cast<std::uint64_t>(params.truth_seed), run, Purpose::evaluation);
}

/// The parameters with every `auto` decided but the horizon's and the truth's.
EvaluationParams decided(const Domain& domain, EvaluationParams params) {
  constexpr std::int64_t usual = 2000;
  checked("evaluation", params);
  if (!params.states && domain.model() == nullptr) params.states = usual;
  if (params.states && !params.trajectory) params.trajectory = 10 * *params.states;
  if (params.states && *params.trajectory < *params.states) {
    throw InvalidArgument(fmt::format("evaluation: {} states cannot be sampled from a trajectory of {} steps",
                                      *params.states, *params.trajectory));
  }
  return params;
}

std::vector<double> every_state(const Domain& domain) {
  std::vector<double> states(domain.model()->states);
  std::iota(states.begin(), states.end(), domain.variables()[0].low);
  return states;
}

/// Which steps of the trajectory are taken, in order.
std::vector<bool> chosen_steps(const EvaluationParams& params) {
  // Selection sampling (Knuth 1969, algorithm S): each subset of the right size has the same chance.
  Rng rng = random_numbers(params, choice_run);
  std::vector<bool> chosen(static_cast<std::size_t>(*params.trajectory), false);
  std::int64_t wanted = *params.states;
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    chosen[t] = static_cast<double>(chosen.size() - t) * rng.uniform() < static_cast<double>(wanted);
    if (chosen[t]) --wanted;
  }
  return chosen;
}

std::vector<double> sampled_states(const Domain& domain, const EvaluationParams& params) {
  Rng rng = random_numbers(params, trajectory_run);
  std::vector<double> state(domain.variables().size());
  std::vector<double> states;
  domain.start(rng, state);
  for (const bool chosen : chosen_steps(params)) {
    if (chosen) states.insert(states.end(), state.begin(), state.end());
    if (domain.step(rng, state).discount == 0) domain.start(rng, state);
  }
  return states;
}

/// One return of the policy that acts in `domain`. `scratch` is moved on.
double sampled_return(const Domain& domain, const EvaluationParams& params, Rng& rng, std::span<double> scratch) {
  constexpr double negligible = 1e-5;
  constexpr std::int64_t endless = 10'000'000;
  const std::int64_t horizon = params.horizon.value_or(endless);
  double sum = 0;
  double discount = 1;
  for (std::int64_t t = 0; t < horizon; ++t) {
    const Outcome outcome = domain.step(rng, scratch);
    sum += discount * outcome.reward;
    discount *= outcome.discount;
    if (discount == 0 || (!params.horizon && discount < negligible)) return sum;
  }
  if (!params.horizon) {
    throw InvalidArgument(
        fmt::format("evaluation: an episode of {} did not end within {} steps; set horizon", domain.type(), endless));
  }
  return sum;
}

/// A mean and its standard error.
struct Mean {
  double value;
  double standard_error;
};

Mean mean_return(const Domain& domain, const EvaluationParams& params, std::span<const double> state, std::size_t i) {
  Rng rng = random_numbers(params, first_rollout + i);
  std::vector<double> scratch(state.size());
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean so far (Welford)
  for (std::int64_t n = 1; n <= params.rollouts; ++n) {
    std::copy(state.begin(), state.end(), scratch.begin());
    const double deviation = sampled_return(domain, params, rng, scratch) - mean;
    mean += deviation / static_cast<double>(n);
    squares += deviation * deviation * static_cast<double>(n - 1) / static_cast<double>(n);
  }
  const auto n = static_cast<double>(params.rollouts);
  return {mean, std::sqrt(squares / (n * (n - 1)))};
}

std::string key_of(const Domain& domain, const Domain& acting, const EvaluationParams& params,
                   const GroundTruth& result) {
  std::string key = fmt::format("bellwether {} values\n{}", version(), domain.type());
  for (const auto& [name, value] : domain.settings()) key += fmt::format(" {}={}", name, value);
  key += '\n';
  for (const auto& [name, value] : values(params)) key += fmt::format(" {}={}", name, value);
  constexpr std::size_t tried = 8;
  constexpr std::int64_t steps = 100;
  std::vector<double> prints = result.states;
  for (std::size_t i = 0; i < std::min(tried, result.states.size() / result.variables); ++i) {
    const auto state = result.state(i);
    std::vector<double> scratch(state.begin(), state.end());
    EvaluationParams brief = params;
    brief.horizon = steps;
    Rng rng = random_numbers(params, first_rollout + i);
    prints.push_back(sampled_return(acting, brief, rng, scratch));
  }
  return key + fmt::format("\n{:016x}\n", hash_of(std::as_bytes(std::span(prints))));
}

}  // namespace

EvaluationSet GroundTruth::evaluation_set(const FeatureMap& features) const {
  EvaluationSet set(features);
  for (std::size_t i = 0; i < size(); ++i) set.add(features, state(i), values[i]);
  if (!weights.empty()) set.weigh(weights);
  return set;
}

GroundTruth ground_truth(const Domain& domain, const EvaluationParams& given, unsigned jobs,
                         const std::filesystem::path& cache, const Progress& progress) {
  const EvaluationParams params = decided(domain, given);
  GroundTruth result;
  result.variables = domain.variables().size();
  result.states = params.states ? sampled_states(domain, params) : every_state(domain);
  const std::size_t n = result.states.size() / result.variables;
  result.values.resize(n);
  result.standard_error.assign(n, 0);
  if (!params.states && params.weights == StateWeights::visits) result.weights = domain.model()->visit_distribution();
  if (domain.model() != nullptr && params.truth != Truth::mc) {  // known at no cost
    domain.true_values(result.states, result.values);
    return result;
  }

  const auto target = domain.on_policy();
  const Domain& acting = target ? *target : domain;
  const ValueCache kept(cache);
  const std::string key = key_of(domain, acting, params, result);
  // Kept are which truth it is, the values and their standard errors.
  if (const auto found = kept.find(key, 2 * n + 1)) {
    result.truth = found->front() == 0 ? Truth::exact : Truth::mc;
    std::copy_n(found->begin() + 1, n, result.values.begin());
    std::copy_n(found->begin() + 1 + static_cast<std::ptrdiff_t>(n), n, result.standard_error.begin());
    return result;
  }
  const bool exact = params.truth != Truth::mc && domain.true_values(result.states, result.values);
  if (!exact) {
    if (params.truth == Truth::exact) {
      throw InvalidArgument(fmt::format("evaluation: truth = exact, but {} does not know its values", domain.type()));
    }
    result.truth = Truth::mc;
    parallel_for(
        n, jobs,
        [&](std::uint64_t i) {
          const Mean mean = mean_return(acting, params, result.state(i), i);
          result.values[i] = mean.value;
          result.standard_error[i] = mean.standard_error;
        },
        progress);
  }
  std::vector<double> all{exact ? 0.0 : 1.0};
  all.insert(all.end(), result.values.begin(), result.values.end());
  all.insert(all.end(), result.standard_error.begin(), result.standard_error.end());
  kept.keep(key, all);
  return result;
}

}  // namespace bellwether
