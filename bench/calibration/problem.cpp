#include "problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/support/parallel.h>
#include <bellwether/core/support/text.h>
#include <bellwether/experiment/truth/ground_truth.h>

namespace bellwether::bench {
namespace {

constexpr std::uint64_t truth_seed = 1'000'003;  // apart from the seeds of logs

/// The mean return of the target policy from the start.
double sampled_start_value(const Domain& domain, unsigned jobs) {
  constexpr std::size_t episodes = 40'000;
  const std::unique_ptr<Domain> target = domain.on_policy();
  const Domain& acting = target ? *target : domain;
  std::vector<double> returns(episodes);
  parallel_for(episodes, jobs, [&](std::uint64_t run) {
    Rng rng(truth_seed, run);
    std::vector<double> state(acting.variables().size());
    acting.start(rng, state);
    for (double discount = 1; discount > 0;) {
      const Outcome outcome = acting.step(rng, state);
      returns[run] += discount * outcome.reward;
      discount *= outcome.discount;
    }
  });
  return std::accumulate(returns.begin(), returns.end(), 0.0) / episodes;
}

std::string joined(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += format_number(number) + ",";
  return text;
}

std::string header_of(const Domain& domain) {
  std::string state, next;
  for (const Variable& variable : domain.variables()) {
    state += variable.name + ",";
    next += "next_" + variable.name + ",";
  }
  return state + next + "reward,rho,terminated,truncated\n";
}

}  // namespace

KnownValues known_values(const Problem& problem, const Domain& domain, unsigned jobs) {
  KnownValues known;
  EvaluationParams params{.rollouts = 4000};
  const FiniteModel* const model = domain.model();
  if (model == nullptr) params.states = 40;
  const GroundTruth truth = ground_truth(domain, params, jobs);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    known.states.emplace_back(truth.state(i).begin(), truth.state(i).end());
  }
  known.values = truth.values;
  if (model == nullptr) {
    known.start = sampled_start_value(domain, jobs);
  } else {
    const std::vector<double> values = model->true_values();
    known.start = std::inner_product(values.begin(), values.end(), model->start.begin(), 0.0);
  }
  if (!std::isfinite(known.start)) throw InvalidArgument(problem.name + ": the value is not known");
  return known;
}

Log write_log(const Problem& problem, const Domain& domain, std::uint64_t seed, std::uint64_t run) {
  Rng rng(seed, run);
  Log log;
  log.csv = header_of(domain);
  std::vector<double> state(domain.variables().size());
  for (std::uint64_t episode = 0; episode < problem.episodes; ++episode) {
    domain.start(rng, state);
    double sum = 0, weight = 1;
    bool ended = false, cut = false;
    for (std::uint64_t t = 1; !ended && !cut; ++t) {
      log.csv += joined(state);
      const Outcome outcome = domain.step(rng, state);
      ended = outcome.discount == 0;
      cut = !ended && t == problem.limit;
      log.csv += joined(state) + fmt::format("{},{},{},{}\n", format_number(outcome.reward), format_number(outcome.rho),
                                             ended ? 1 : 0, cut ? 1 : 0);
      weight *= outcome.rho;
      sum += weight * outcome.reward;
      weight *= outcome.discount;
      if (!ended) log.gamma = outcome.discount;
    }
    log.returns.push_back(sum);
  }
  return log;
}

Percentiles bootstrap_mean(const std::vector<double>& sample, std::size_t resamples, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> means(resamples);
  for (double& mean : means) {
    for (std::size_t i = 0; i < sample.size(); ++i) mean += sample[rng.below(sample.size())];
    mean /= static_cast<double>(sample.size());
  }
  std::sort(means.begin(), means.end());
  const auto at = [&](double share) {
    return means[static_cast<std::size_t>(std::lround(share * static_cast<double>(resamples - 1)))];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace bellwether::bench
