#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/parallel.h>
#include <bellwether/core/settings.h>
#include <bellwether/core/statistics.h>
#include <bellwether/experiment/ground_truth.h>
#include <bellwether/metrics/metric.h>

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
  std::string features;  // description of the features (features/feature_maps.h); empty: the domain's own
  Settings feature_settings;
  EvaluationParams evaluation;  // the states to judge on
  std::filesystem::path cache;  // where true values are kept; empty: nowhere
  std::vector<Metric> metrics;  // what to record; empty: the error that suits the values
  BellmanParams bellman;        // for msbe, mspbe and fixed_point
  std::uint64_t steps = 1000;   // of each run
  std::uint64_t every = 50;     // steps between two measurements
  std::uint64_t runs = 30;
  std::uint64_t seed = 1;
  std::vector<Contender> contenders;
};

/// One metric along the runs of a contender.
struct Course {
  std::vector<Estimate> at;  // at ExperimentResult::at
  Estimate average;          // over the whole curve
  Estimate last;             // at the end
};

/// What came of one contender. Runs that diverged are counted and take no part in any average.
struct LearningCurve {
  Contender contender;          // with every parameter resolved
  std::vector<Course> courses;  // of each metric
  std::size_t diverged = 0;     // runs
  double seconds_per_step = 0;  // of learning alone; the median over runs
  Settings findings;            // what the learner of the first run chose or noticed
};

struct ExperimentResult {
  std::vector<Metric> metrics;        // at least one; the first ranks the contenders
  GroundTruth truth;                  // the states that were judged on; none if no metric asks for them
  std::size_t dim = 0;                // number of features
  std::size_t max_active = 0;         // of which so many can be non-zero at a time
  std::vector<std::uint64_t> at;      // steps learned when metrics were recorded: 0, every, 2 every, ..., steps
  std::vector<LearningCurve> curves;  // in the order of the contenders
};

/// Runs the experiment on `jobs` threads. Everything but the times is the same for any number of them. `finding_truth`
/// is told how far the true values are, `progress` how far the runs. Throws InvalidArgument when a name, a parameter or
/// the experiment itself makes no sense.
ExperimentResult run(const Experiment& experiment, unsigned jobs = 1, const Progress& progress = {},
                     const Progress& finding_truth = {});

/// True when a did better than b: fewer diverged runs, then the smaller first metric averaged over the curve.
bool better(const LearningCurve& a, const LearningCurve& b);

}  // namespace bellwether
