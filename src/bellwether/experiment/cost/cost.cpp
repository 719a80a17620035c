#include <bellwether/experiment/cost/cost.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <span>

#include <unistd.h>

#include <bellwether/core/support/thread_limit.h>
#include <bellwether/experiment/cost/cpu_clock.h>
#include <bellwether/experiment/seed_run.h>
#include <bellwether/experiment/workers.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

/// Memory in use by this process, as far as the system tells; otherwise zero.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Seconds of one run of a group, from the first `enough` seconds of it.
double seconds_of_run(SeedRun& run, Ensemble& ensemble, double steps, double enough) {
  struct Enough {};
  std::vector<std::pair<double, double>> clock{{0, 0}};  // steps, seconds
  const double begun = cpu_seconds();
  try {
    run.follow(ensemble, [&](std::uint64_t n) {
      clock.emplace_back(clock.back().first + static_cast<double>(n), cpu_seconds() - begun);
      if (clock.back().second > enough) throw Enough();
    });
  } catch (const Enough&) {
  }
  // Matrices fill up on the way, so the rest is judged by the later half of the sample.
  const auto [sampled, took] = clock.back();
  const auto [half, took_half] = clock[clock.size() / 2];
  const double rate = sampled > half ? (took - took_half) / (sampled - half) : took / sampled;
  return took + rate * (steps - sampled);
}

}  // namespace

CostSample sample_cost(const PreparedStudy& study, const std::vector<SharingGroup>& groups, bool sharing,
                       double seconds_each, const std::function<bool()>& stopped) {
  const ThreadLimit alone(1);  // as in a worker
  std::map<std::string, std::vector<std::size_t>> classes;
  for (std::size_t g = 0; g < groups.size(); ++g) classes[groups[g].cost_class].push_back(g);
  std::map<std::size_t, std::unique_ptr<SeedRun>> seed_runs;  // of each case
  constexpr double seconds_of_all = 20;
  const double begun = cpu_seconds();
  const double enough = std::min(seconds_each, seconds_of_all / static_cast<double>(classes.size()));
  // In random order, so that those that are timed before the time is up are of all cases and learners.
  std::vector<std::span<const std::size_t>> order;
  for (const auto& of_class : classes) order.emplace_back(of_class.second);
  std::shuffle(order.begin(), order.end(), std::minstd_rand());
  CostSample sample;
  sample.cost.run.resize(groups.size());
  double timed = 0;  // settings
  double seconds = 0;
  const auto set_cost = [&](std::span<const std::size_t> of_class, double each) {
    for (const std::size_t g : of_class) {
      sample.cost.run[g] = each * static_cast<double>(groups[g].settings.size());
    }
  };
  for (const auto of_class : order) {
    check_stopped(stopped);
    const SharingGroup& tried = groups[of_class[of_class.size() / 2]];  // the group in the middle
    auto& run = seed_runs[tried.case_index];
    if (!run) {
      const double before = cpu_seconds();
      run = std::make_unique<SeedRun>(study.of_case(tried.case_index).protocol, 0);
      sample.cost.setup = std::max(sample.cost.setup, cpu_seconds() - before);
    }
    std::vector<Settings> members;
    for (const std::size_t i : tried.settings) members.push_back(study.study().settings[i].parameters);
    const std::string& learner = study.study().settings[tried.settings.front()].learner;
    const double before = resident_bytes();
    const auto ensemble = make_ensemble(learner, run->dim(), members, Sharing(sharing));
    if (timed == 0 || cpu_seconds() - begun < seconds_of_all) {
      const double took = seconds_of_run(*run, *ensemble, static_cast<double>(study.study().run.steps), enough);
      seconds += took;
      timed += static_cast<double>(members.size());
      set_cost(of_class, took / static_cast<double>(members.size()));
    } else {
      set_cost(of_class, seconds / timed);
    }
    sample.bytes = std::max(sample.bytes, resident_bytes() - before);
  }
  return sample;
}

StudyEstimate estimate(const PreparedStudy& study, bool sharing, double seconds_each,
                       const std::function<bool()>& stopped) {
  const auto groups = sharing_groups(study.study(), sharing);
  const CostSample sample = sample_cost(study, groups, sharing, seconds_each, stopped);
  const auto seeds = static_cast<double>(study.study().seeds());
  StudyEstimate estimate;
  estimate.settings = study.study().settings.size();
  estimate.groups = groups.size();
  estimate.runs = study.study().runs();
  estimate.steps = static_cast<double>(estimate.runs) * static_cast<double>(study.study().run.steps);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double seconds = sample.cost.run[g] * seeds;
    estimate.core_seconds += seconds;
    estimate.longest = std::max(estimate.longest, sample.cost.setup + sample.cost.run[g]);
    estimate.of_label[study.study().settings[groups[g].settings.front()].label] += seconds;
  }
  estimate.core_seconds += sample.cost.setup * seeds * static_cast<double>(study.cases());
  estimate.bytes = sample.bytes + resident_bytes();
  return estimate;
}

}  // namespace bellwether
