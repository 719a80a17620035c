#include <algorithm>
#include <fstream>
#include <functional>

#include <unistd.h>

#include <bellwether/experiment/cpu_clock.h>
#include <bellwether/experiment/heap.h>
#include <bellwether/experiment/sweep.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

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

/// What one learner holds. The allocator keeps small blocks that were freed in a cache, up to seven of each size, and
/// counts them as in use; so of small learners many are made, the first of which empty it.
std::optional<std::uint64_t> bytes_of(const std::function<std::unique_ptr<Learner>()>& make) {
  constexpr std::size_t first = 8;
  constexpr std::size_t many = 128;
  constexpr std::uint64_t large = 1U << 16U;
  std::vector<std::unique_ptr<Learner>> all;
  all.reserve(first + many);
  const auto grown_by = [&](std::size_t count) -> std::optional<std::uint64_t> {
    const auto before = heap_in_use();
    for (std::size_t i = 0; i < count; ++i) all.push_back(make());
    const auto after = heap_in_use();
    if (!before || !after || *after <= *before) return std::nullopt;
    return (*after - *before) / count;
  };
  const auto one = grown_by(1);
  if (one && *one >= large) return one;
  grown_by(first - 1);
  return grown_by(many);
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

// A learner allocates when it is made and never again; how much, its cost class tells.
std::vector<std::optional<std::uint64_t>> Sweep::memory() const {
  std::map<std::string, std::optional<std::uint64_t>> of_class;
  std::vector<std::optional<std::uint64_t>> bytes(study_.settings.size());
  for (const SharingGroup& group : groups_) {
    const auto [entry, first] = of_class.try_emplace(group.cost_class);
    if (first) {
      check_stopped();
      const StudySetting& setting = study_.settings[group.settings.front()];
      entry->second =
          bytes_of([&] { return make_learner(setting.learner, cases_[group.place]->dim, setting.parameters); });
    }
    for (const std::size_t i : group.settings) bytes[i] = entry->second;
  }
  return bytes;
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
