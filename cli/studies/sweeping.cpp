#include "studies/sweeping.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <bellwether/core/error.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/core/support/this_machine.h>
#include <bellwether/experiment/cost/cost.h>
#include <bellwether/experiment/sweep.h>
#include <bellwether/experiment/workers.h>

#include "studies/mpi_ranks.h"
#include "terminal/command_line.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "terminal/terminal.h"

namespace bellwether::cli {

namespace {

SweepOptions options_of(const SweepRequest& request) {
  const unsigned alone = launched_ranks() == nullptr ? std::max(1U, std::thread::hardware_concurrency()) : 1U;
  SweepOptions options;
  options.sharing = request.sharing;
  options.workers.jobs = request.jobs ? static_cast<unsigned>(*request.jobs) : alone;
  options.workers.stopped = Interrupt::asked;
  options.workers.ranks = launched_ranks();
  options.written = {machine_text(), command_line()};
  return options;
}

std::string name_of(const Study& study) { return fmt::format("{} ({})", study.name, study.scale); }

/// The study, made ready. Messages about what is wrong with it begin with its name.
PreparedStudy prepared(Study study, const SweepOptions& options) {
  const std::string name = study.name;
  ProgressLine line("true values for " + name_of(study), first_of_all());
  try {
    return PreparedStudy(std::move(study), {.jobs = options.workers.jobs,
                                            .cache = cache_folder(),
                                            .stopped = options.workers.stopped,
                                            .finding_truth = std::ref(line)});
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}.toml: {}", name, error.what()));
  }
}

/// What the first, or only, process does.
void lead(const SweepRequest& request) {
  const auto begun = std::chrono::steady_clock::now();
  Study study = request.study();  // it may be a pipe: a signal ends this wait
  const Interrupt interrupt;
  const std::string name = name_of(study);
  require_folder(request.out);
  SweepOptions options = options_of(request);
  SweepProgress last;
  std::optional<std::uint64_t> before;  // runs of earlier sweeps
  ProgressLine line(name);
  options.progress = [&](const SweepProgress& now) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (!before) before = now.runs;
    const double rate = static_cast<double>(now.runs - *before) / seconds;
    line(now.share, fmt::format("{} of {} runs, {}{}", grouped(now.runs), grouped(now.of),
                                rate > 0 ? fmt::format("{}/s, ", grouped(static_cast<std::uint64_t>(rate))) : "",
                                fmt::format("{} diverged", grouped(now.diverged))));
    last = now;
  };
  bool finished = false;
  try {
    // Before there is a file: a study that makes no sense leaves none.
    const PreparedStudy ready = prepared(std::move(study), options);
    StoreWriter store(request.out);
    if (launched_ranks() != nullptr) launched_ranks()->meet();
    finished = bellwether::sweep(ready, store, options);
    store.close();
  } catch (const Interrupted&) {
  }
  line.clear();
  if (!finished) {
    if (!before) tell("{}: stopped before the first run; the same command starts again\n", name);
    else
      tell("{}: stopped after {} of {} runs, which are in {}; the same command continues from there\n", name,
           grouped(last.runs), grouped(last.of), request.out);
    throw Stopped();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  print(fmt::format("{}: {} runs in {}, {} of them diverged; {}\n", name, grouped(last.runs), request.out,
                    grouped(last.diverged), duration(seconds)));
}

void follow(const SweepRequest& request) {
  const Interrupt interrupt;
  launched_ranks()->meet();  // by then the first process has put the true values into the cache
  try {
    const SweepOptions options = options_of(request);
    serve_sweep(prepared(request.study(), options), options);
  } catch (const Interrupted&) {
    throw Stopped();
  }
}

}  // namespace

bool first_of_all() { return launched_ranks() == nullptr || launched_ranks()->rank() == 0; }

void sweep(const SweepRequest& request) {
  with_all_ranks([&] { first_of_all() ? lead(request) : follow(request); });
}

void say_what_it_takes(const SweepRequest& request) {
  if (!first_of_all()) return;
  Study study = request.study();
  const Interrupt interrupt;
  const std::string name = name_of(study);
  const SweepOptions options = options_of(request);
  const unsigned jobs =
      options.workers.jobs * (launched_ranks() == nullptr ? 1U : static_cast<unsigned>(launched_ranks()->size()));
  const std::size_t cases = study.cases.size();
  const std::uint64_t seeds = study.seeds();
  StudyEstimate estimate;
  try {
    const PreparedStudy ready = prepared(std::move(study), options);
    constexpr double seconds_each = 1.0;
    estimate = bellwether::estimate(ready, options.sharing, seconds_each, options.workers.stopped);
  } catch (const Interrupted&) {
    throw Stopped();
  }
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [label, seconds] : estimate.of_label) shares.emplace_back(seconds / estimate.core_seconds, label);
  std::sort(shares.rbegin(), shares.rend());
  std::string most;
  constexpr std::size_t told = 5;
  for (std::size_t i = 0; i < std::min(told, shares.size()); ++i) {
    most += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", shares[i].second, 100 * shares[i].first);
  }
  print(
      fmt::format("{}\n"
                  "  settings   {} of learners on {} case{}, in {} group{} with shared work\n"
                  "  runs       {} ({} seeds each)\n"
                  "  steps      {:.3g}\n"
                  "  time       about {} with {} job{} (from a sample of the work)\n"
                  "             of which {}\n"
                  "  memory     about {:.0f} MB for each job\n",
                  bold(name), grouped(estimate.settings), cases, cases == 1 ? "" : "s", grouped(estimate.groups),
                  estimate.groups == 1 ? "" : "s", grouped(estimate.runs), grouped(seeds), estimate.steps,
                  duration(std::max(estimate.core_seconds / jobs, estimate.longest)), jobs, jobs == 1 ? "" : "s", most,
                  std::max(1.0, estimate.bytes / 1e6)));
}

}  // namespace bellwether::cli
