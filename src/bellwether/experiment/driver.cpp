#include <bellwether/experiment/driver.h>

#include <algorithm>
#include <memory>

#include <bellwether/experiment/dispatch/rank_dispatch.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

namespace {

/// Executes a unit, and gives it up when it is no longer wanted.
WorkerPool::Execute executor(const PreparedStudy& study, const WorkOptions& options, const Workers& workers) {
  return [&study, options, stopped = workers.stopped](const WorkUnit& work, const std::stop_token& unwanted) {
    WorkOptions stoppable = options;
    stoppable.learned = [&](std::uint64_t steps) {
      if (unwanted.stop_requested()) throw Interrupted();
      check_stopped(stopped);
      if (options.learned) options.learned(steps);
    };
    return execute(study, work, stoppable);
  };
}

std::unique_ptr<Dispatch> dispatch(WorkerPool::Execute execute, const Workers& workers, std::size_t units) {
  if (workers.ranks == nullptr) {
    const auto jobs = static_cast<unsigned>(std::min<std::size_t>(workers.jobs, units));
    return std::make_unique<WorkerPool>(jobs, std::move(execute));
  }
  return std::make_unique<RankDispatch>(*workers.ranks, workers.jobs, std::move(execute));
}

}  // namespace

void run_units(const PreparedStudy& study, std::span<const WorkUnit> units, const WorkOptions& options,
               const Workers& workers, const TakeResult& take, const Progress& progress) {
  double total = 0;
  for (const WorkUnit& work : units) total += work.cost;
  double spent = 0;
  std::size_t next = 0;
  std::size_t finished = 0;
  const auto team = dispatch(executor(study, options, workers), workers, units.size());
  while (finished < units.size() || !team->dismissed()) {
    check_stopped(workers.stopped);
    while (next < units.size() && team->idle()) team->submit(units[next++]);
    for (auto& done : team->collect(std::chrono::milliseconds(50))) {
      spent += done.work.cost;
      ++finished;
      take(done.work, std::move(done.result));
    }
    if (progress) progress(total > 0 ? spent / total : 1);
  }
}

void serve_units(const PreparedStudy& study, const WorkOptions& options, const Workers& workers) {
  serve(*workers.ranks, workers.jobs, executor(study, options, workers), workers.stopped);
}

}  // namespace bellwether
