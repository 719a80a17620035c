#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params.h>
#include <bellwether/experiment/statistics.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

/// A learner and its parameters, as text.
struct Contender {
  std::string learner;
  Settings settings;
};

/// Contenders compared on one domain. Every contender sees the same steps of run 0, 1, 2, ..., so differences between
/// them are not differences of luck, and simulation is paid once.
struct Experiment {
  const Domain* domain = nullptr;
  std::string features;  // name of a feature map; empty: the domain's own
  Settings feature_settings;
  std::optional<Metric> metric;  // nothing: the one that suits the domain's values
  std::uint64_t steps = 1000;    // of each run
  std::uint64_t every = 50;      // steps between two measurements
  std::uint64_t runs = 30;
  std::uint64_t seed = 1;
  std::vector<Contender> contenders;
};

/// What came of one contender. Runs that diverged are counted and take no part in any average.
struct LearningCurve {
  Contender contender;          // with every parameter resolved
  std::vector<Estimate> error;  // at ExperimentResult::at
  Estimate average;             // of the error over the whole curve
  Estimate last;                // error at the end
  std::size_t diverged = 0;     // runs
  double seconds_per_step = 0;  // of learning alone; the median over runs
  Settings findings;            // what the learner of the first run chose or noticed
};

struct ExperimentResult {
  Metric metric{};
  std::vector<std::uint64_t> at;      // steps learned when the error was measured: 0, every, 2 every, ..., steps
  std::vector<LearningCurve> curves;  // in the order of the contenders
};

/// Called now and then, from one thread at a time, with the share of the work that is done.
using Progress = std::function<void(double share)>;

/// Runs the experiment on `jobs` threads. Everything but the times is the same for any number of them. Throws
/// InvalidArgument when a name, a parameter or the experiment itself makes no sense.
ExperimentResult run(const Experiment& experiment, unsigned jobs = 1, const Progress& progress = {});

/// True when a did better than b: fewer diverged runs, then the smaller error averaged over the curve.
bool better(const LearningCurve& a, const LearningCurve& b);

}  // namespace bellwether
