#include <algorithm>
#include <fstream>

#include <unistd.h>

#include <bellwether/experiment/cpu_clock.h>
#include <bellwether/experiment/sweep.h>
#include <bellwether/learners/all.h>

namespace bellwether {

namespace {

/// Memory in use by this process, as far as the system tells.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0;
  double resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

// Of each cost class the group in the middle is tried.
std::vector<double> Sweep::costs(double seconds_each, SweepEstimate* estimate) {
  struct Enough {};
  std::map<std::string, std::vector<std::size_t>> classes;
  for (std::size_t g = 0; g < groups_.size(); ++g) classes[groups_[g].cost_class].push_back(g);
  std::map<std::size_t, std::unique_ptr<SeedRun>> seed_runs;
  std::vector<Protocol> protocols;
  for (const auto& of : cases_) protocols.push_back(protocol(*of));

  std::vector<double> cost(groups_.size());
  for (const auto& of_class : classes) {
    check_stopped();
    const SharingGroup& group = groups_[of_class.second[of_class.second.size() / 2]];
    auto& steps = seed_runs[group.place];
    if (!steps) {
      const double begun = cpu_seconds();
      steps = std::make_unique<SeedRun>(protocols[group.place], 0);
      setup_ = std::max(setup_, cpu_seconds() - begun);
    }
    std::vector<Settings> members;
    for (const std::size_t i : group.settings) members.push_back(study_.settings[i].parameters);
    const double before = resident_bytes();
    const auto ensemble = make_ensemble(study_.settings[group.settings.front()].learner, steps->dim(), members,
                                        Sharing(options_.sharing));
    // Matrices fill up on the way, so the later half of the sample is what the rest is judged by.
    std::vector<std::pair<double, double>> clock{{0, 0}};  // steps, seconds
    const double begun = cpu_seconds();
    try {
      steps->follow(*ensemble, [&](std::uint64_t n) {
        clock.emplace_back(clock.back().first + static_cast<double>(n), cpu_seconds() - begun);
        if (clock.back().second > seconds_each) throw Enough();
      });
    } catch (const Enough&) {
    }
    const auto [sampled, took] = clock.back();
    const auto [half, took_half] = clock[clock.size() / 2];
    const double rate = sampled > half ? (took - took_half) / (sampled - half) : took / sampled;
    const double each =
        (took + rate * (static_cast<double>(study_.run.steps) - sampled)) / static_cast<double>(group.settings.size());
    for (const std::size_t g : of_class.second) cost[g] = each * static_cast<double>(groups_[g].settings.size());
    if (estimate != nullptr) estimate->bytes = std::max(estimate->bytes, resident_bytes() - before);
  }
  return cost;
}

SweepEstimate Sweep::estimate(double seconds_each) {
  SweepEstimate estimate;
  const auto cost = costs(seconds_each, &estimate);
  estimate.settings = study_.settings.size();
  estimate.groups = groups_.size();
  estimate.runs = study_.runs();
  estimate.steps = static_cast<double>(estimate.runs) * static_cast<double>(study_.run.steps);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const double seconds = cost[g] * static_cast<double>(study_.seeds());
    estimate.core_seconds += seconds;
    estimate.longest =
        std::max(estimate.longest, cost[g] * static_cast<double>(std::min(seeds_per_block, study_.seeds())));
    estimate.of_label[study_.settings[groups_[g].settings.front()].label] += seconds;
  }
  estimate.core_seconds += setup_ * static_cast<double>(study_.seeds() * cases_.size());
  estimate.bytes += resident_bytes();
  return estimate;
}

}  // namespace bellwether
