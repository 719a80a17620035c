#include "studies/sweeping.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <bellwether/core/error.h>
#include <bellwether/experiment/sweep.h>

#include "studies/folders.h"
#include "studies/mpi_ranks.h"
#include "terminal/command_line.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "terminal/terminal.h"

namespace bellwether::cli {

namespace {

/// "AMD EPYC, 2 cores"
std::string machine() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(std::min(line.find(':') + 2, line.size()));
      break;
    }
  }
  return fmt::format("{}, {} cores", model, std::max(1U, std::thread::hardware_concurrency()));
}

Ranks* ranks() { return launched_ranks(); }

Sweep::Options options_of(const SweepRequest& request) {
  const unsigned alone = ranks() == nullptr ? std::max(1U, std::thread::hardware_concurrency()) : 1U;
  Sweep::Options options;
  options.jobs = request.jobs ? static_cast<unsigned>(*request.jobs) : alone;
  options.sharing = request.sharing;
  options.cache = cache_folder();
  options.stopped = Interrupt::asked;
  options.ranks = ranks();
  options.machine = machine();
  options.command = command_line();
  return options;
}

std::string name_of(const Study& study) { return fmt::format("{} ({})", study.name, study.scale); }

/// The study, made ready; what is wrong with it is said with its name.
std::unique_ptr<Sweep> prepared(Study study, Sweep::Options options) {
  const std::string name = study.name;
  try {
    return std::make_unique<Sweep>(std::move(study), std::move(options));
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}.toml: {}", name, error.what()));
  }
}

/// What this process does as the first, or only, one.
void lead(const SweepRequest& request) {
  const auto begun = std::chrono::steady_clock::now();
  Study study = request.study();
  const std::string name = name_of(study);
  const auto folder = std::filesystem::path(request.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw IoError(fmt::format("{}: there is no folder {}", request.out, folder.string()));
  }
  Sweep::Options options = options_of(request);
  SweepProgress last;
  std::optional<std::uint64_t> before;  // runs of earlier times
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
  ProgressLine truth_line("true values for " + name);
  options.finding_truth = [&](double share) { truth_line(share); };
  bool finished = false;
  try {
    const auto sweep = prepared(std::move(study), options);  // before there is a file: nonsense leaves none
    truth_line.clear();
    StoreWriter store(request.out);
    if (ranks() != nullptr) ranks()->meet();
    finished = sweep->run(store);
    store.close();
  } catch (const Interrupted&) {
  }
  line.clear();
  if (!finished) {
    if (!before) fmt::print(stderr, "{}: stopped before the first run; the same command begins again\n", name);
    else
      fmt::print(stderr, "{}: stopped after {} of {} runs, which are in {}; the same command goes on from there\n",
                 name, grouped(last.runs), grouped(last.of), request.out);
    throw Stopped();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  fmt::print("{}: {} runs in {}, {} of them diverged; {}\n", name, grouped(last.runs), request.out,
             grouped(last.diverged), duration(seconds));
  std::fflush(stdout);
}

void follow(const SweepRequest& request) {
  ranks()->meet();  // when the first has found the true values, they are in the cache
  try {
    Sweep(request.study(), options_of(request)).serve();
  } catch (const Interrupted&) {
    throw Stopped();
  }
}

}  // namespace

bool first_of_all() { return ranks() == nullptr || ranks()->rank() == 0; }

void sweep(const SweepRequest& request) {
  const Interrupt interrupt;
  with_all_ranks([&] { first_of_all() ? lead(request) : follow(request); });
}

void say_what_it_takes(const SweepRequest& request) {
  const Interrupt interrupt;
  if (!first_of_all()) return;
  Study study = request.study();
  const std::string name = name_of(study);
  Sweep::Options options = options_of(request);
  ProgressLine truth_line("true values for " + name);
  options.finding_truth = [&](double share) { truth_line(share); };
  const unsigned jobs = options.jobs * (ranks() == nullptr ? 1U : static_cast<unsigned>(ranks()->size()));
  const std::size_t cases = study.cases.size();
  const std::uint64_t seeds = study.seeds();
  SweepEstimate estimate;
  try {
    const auto sweep = prepared(std::move(study), std::move(options));
    truth_line.clear();
    constexpr double each = 1.0;
    estimate = sweep->estimate(each);
  } catch (const Interrupted&) {
    throw Stopped();
  }
  Output out("");
  out.write(fmt::format("{}\n", bold(name)));
  out.write(fmt::format("  settings   {} of learners on {} case{}, in {} groups that share their work\n",
                        grouped(estimate.settings), cases, cases == 1 ? "" : "s", grouped(estimate.groups)));
  out.write(fmt::format("  runs       {} ({} seeds each)\n", grouped(estimate.runs), grouped(seeds)));
  out.write(fmt::format("  steps      {:.3g}\n", estimate.steps));
  out.write(fmt::format("  time       about {} with {} job{} (from a sample of the work)\n",
                        duration(std::max(estimate.core_seconds / jobs, estimate.longest)), jobs,
                        jobs == 1 ? "" : "s"));
  std::vector<std::pair<double, std::string>> shares;
  for (const auto& [label, seconds] : estimate.of_label) shares.emplace_back(seconds / estimate.core_seconds, label);
  std::sort(shares.rbegin(), shares.rend());
  std::string most;
  constexpr std::size_t told = 5;
  for (std::size_t i = 0; i < std::min(told, shares.size()); ++i) {
    most += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", shares[i].second, 100 * shares[i].first);
  }
  out.write(fmt::format("             of which {}\n", most));
  out.write(fmt::format("  memory     about {:.0f} MB for each job\n", std::max(1.0, estimate.bytes / 1e6)));
  out.finish();
}

}  // namespace bellwether::cli
