#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>

namespace bellwether::bench {

/// A domain whose values are known, and how it is logged.
struct Problem {
  std::string name;
  std::string domain;
  Settings settings;           // of the domain
  std::uint64_t episodes = 0;  // in each log
  std::uint64_t limit = 0;     // an episode is cut short after so many steps; 0: never
  std::string features = {};   // as `learn` takes them; empty: chosen by `learn`
};

/// What intervals are judged by.
struct KnownValues {
  double start = 0;                         // the mean value of the start states
  std::vector<std::vector<double>> states;  // single states: all of a finite chain, else a sample of those visited
  std::vector<double> values;               // of these
};

/// A log as a person would write it, and the return of each of its episodes by per-decision importance sampling:
///
///   G = sum_t (rho_0 .. rho_t) gamma^t R_{t+1}      up to where the episode ended or was cut short
struct Log {
  std::string csv;
  std::vector<double> returns;
  double gamma = 1;  // the discount of steps that do not end an episode
};

/// Exact values where the domain knows them, else Monte Carlo.
KnownValues known_values(const Problem& problem, const Domain& domain, unsigned jobs);

/// The log number `run`; logs of different runs are independent.
Log write_log(const Problem& problem, const Domain& domain, std::uint64_t seed, std::uint64_t run);

/// The 95 % interval of a mean by the percentiles of `resamples` bootstrap means, as scope-rl has it.
struct Percentiles {
  double low = 0;
  double high = 0;
};
Percentiles bootstrap_mean(const std::vector<double>& sample, std::size_t resamples, std::uint64_t seed);

}  // namespace bellwether::bench
