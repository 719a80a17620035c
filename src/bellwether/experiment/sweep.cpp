#include <bellwether/experiment/sweep.h>

#include <algorithm>

#include <bellwether/core/support/ranks.h>
#include <bellwether/experiment/cost/cost.h>
#include <bellwether/experiment/driver.h>

namespace bellwether {

namespace {

WorkOptions work_options(const SweepOptions& options) { return {.sharing = options.sharing, .time_alone = true}; }

/// The units that are left, short enough that no thread waits long for the last one.
std::vector<WorkUnit> units_left(const PreparedStudy& study, const SweepOptions& options, StoreSink& sink) {
  if (sink.runs() == study.study().runs()) return {};
  const auto groups = sharing_groups(study.study(), options.sharing);
  constexpr double sample = 0.05;
  const WorkCost cost = sample_cost(study, groups, options.sharing, sample, options.workers.stopped).cost;
  sink.know_bytes(learner_bytes(study, groups, options.workers.stopped));
  double total = 0;
  for (const double run : cost.run) total += run * static_cast<double>(study.study().seeds());
  const int processes = options.workers.ranks == nullptr ? 1 : options.workers.ranks->size();
  constexpr double units_each = 8;
  constexpr double shortest = 0.05;
  constexpr double longest = 5.0;
  const double seconds = std::clamp(total / (units_each * options.workers.jobs * processes), shortest, longest);
  return cut_into_units(study.study(), groups, cost, seconds,
                        [&](std::size_t setting, std::uint64_t block) { return sink.has(setting, block); });
}

void sweep_what_is_left(const PreparedStudy& study, StoreWriter& store, const SweepOptions& options) {
  StoreSink sink(study, store, options.written);
  const auto of = static_cast<double>(study.study().runs());
  const double already = static_cast<double>(sink.runs()) / of;
  const auto report = [&](double share) {
    if (!options.progress) return;
    options.progress({already + (1 - already) * share, sink.runs(), study.study().runs(), sink.diverged()});
  };
  report(0);
  const auto take = [&](const WorkUnit& work, UnitResult result) { sink.take(work, std::move(result)); };
  run_units(study, units_left(study, options, sink), work_options(options), options.workers, take, report);
}

}  // namespace

bool sweep(const PreparedStudy& study, StoreWriter& store, const SweepOptions& options) {
  try {
    sweep_what_is_left(study, store, options);
    return true;
  } catch (const Interrupted&) {
    return false;
  }
}

void serve_sweep(const PreparedStudy& study, const SweepOptions& options) {
  serve_units(study, work_options(options), options.workers);
}

}  // namespace bellwether
