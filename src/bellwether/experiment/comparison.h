#pragma once

#include <cstdint>
#include <vector>

#include <bellwether/core/support/parallel.h>
#include <bellwether/core/support/statistics.h>
#include <bellwether/experiment/prepared_study.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

/// One metric of a setting, over its seeds.
struct Curve {
  std::vector<Estimate> at;  // at each of PreparedStudy::at
  Estimate average;          // over the whole curve
  Estimate last;             // at the end
};

/// All seeds of a setting. Runs that diverged are counted and take no part in any average, so look at `diverged` before
/// you trust one.
struct SettingSummary {
  StudySetting setting;         // with every parameter resolved
  std::vector<Curve> curves;    // of each metric
  std::uint64_t diverged = 0;   // runs
  std::uint64_t grown = 0;      // runs that did not diverge, but whose error grew a millionfold (metrics/metric.h)
  double seconds_per_step = 0;  // of learning alone; the median over seeds
  Settings findings;            // what the learner of the first seed chose or noticed
};

/// Runs a study in memory: the summaries of its settings, in their order. Every setting sees the same steps of seed
/// 0, 1, 2, ..., so differences between settings are not differences of luck, and simulation is paid once. Everything
/// but the times is the same for any number of threads. `progress` is told the share of the steps that are learned.
///
///     Study study;
///     study.cases = {{.domain = "random_walk"}};
///     study.run = {.steps = 1000, .every = 100, .seeds = 20};
///     for (const double alpha : {0.01, 0.1, 1.0}) study.add("td", {{"alpha", alpha}});
///     const PreparedStudy prepared(study);
///     for (const SettingSummary& s : compare(prepared, {.jobs = 2}))
///       std::printf("%s %g\n", text_of(s.setting.parameters).c_str(), s.curves[0].last.mean);
///
/// Throws InvalidArgument when there are more than 1e9 measurements, which would not fit in memory, and Interrupted
/// when stopped.
std::vector<SettingSummary> compare(const PreparedStudy& study, const Workers& workers = {},
                                    const Progress& progress = {});

/// True when a did better than b: fewer diverged runs, then the better average over the curve of `metric`, the study's
/// first. An order for std::sort. The best of many looks better than it is: run it again with another seed.
bool better(const SettingSummary& a, const SettingSummary& b, Metric metric);

}  // namespace bellwether
