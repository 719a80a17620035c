/// How the cost of a step grows with the number of features, the rank, the settings that learn together and the
/// threads. See README.md.

#include <fmt/core.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <bellwether/experiment/comparison.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "csv_option.h"
#include "mountain_car_stream.h"
#include "usage.h"

namespace bellwether::bench {
namespace {

struct Cost {
  double us = 0;         // per step
  double megabytes = 0;  // the peak while learning, less what was in use before: what the learner needs
};

struct Row {
  const char* table;
  std::string learner;
  std::size_t value;  // of what the table varies
  Cost cost;
};

std::vector<Row> results;

/// Calls `measure` in a process of its own, so that its peak of memory is its own too.
template <class Measure>
Cost in_own_process(Measure&& measure) {
  int ends[2];
  if (pipe(ends) != 0) throw IoError("bench_scaling: no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw IoError("bench_scaling: no further process");
  if (child == 0) {
    const Cost cost = measure();
    _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
  }
  Cost cost;
  close(ends[1]);
  const bool complete = read(ends[0], &cost, sizeof cost) == sizeof cost;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete) throw IoError("bench_scaling: a measurement ended early");
  return cost;
}

/// `make` makes something that learns, `learn` lets it learn from `steps` steps: the fastest pass over them after the
/// first, in at least a quarter of a second. The memory is that of the first.
template <class Make, class Learn>
Cost cost_of(std::size_t steps, Make&& make, Learn&& learn) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is what is in use now
  const double before = status_megabytes("VmRSS");
  auto learner = make();
  learn(*learner);
  Cost cost{1e300, status_megabytes("VmHWM") - before};
  const double begin = cpu_seconds();
  do {
    const double start = cpu_seconds();
    learn(*learner);
    cost.us = std::min(cost.us, 1e6 * (cpu_seconds() - start) / static_cast<double>(steps));
  } while (cpu_seconds() - begin < 0.25);
  return cost;
}

Cost one_learner(const std::string& name, const Settings& settings, std::size_t dim, std::size_t steps,
                 Layout layout = Layout::binary) {
  return in_own_process([&] {
    const auto data = mountain_car({layout, dim, layout == Layout::dense ? dim : 10}, steps, 1);
    return cost_of(
        steps, [&] { return make_learner(name, dim, settings); },
        [&](Learner& learner) { learner.learn(data.view()); });
  });
}

Cost together(const std::string& name, const Settings& settings, const char* parameter, double largest,
              std::size_t members) {
  constexpr std::size_t steps = 2000;
  return in_own_process([&] {
    const auto data = mountain_car({Layout::binary, 1024, 10}, steps, 1);
    std::vector<Settings> all;
    for (std::size_t m = 0; m < members; ++m) {
      all.push_back(settings);
      all.back().emplace_back(parameter, largest * std::pow(0.9, static_cast<double>(m)));
    }
    return cost_of(
        steps, [&] { return make_ensemble(name, 1024, all); }, [&](Ensemble& e) { e.learn(data.view()); });
  });
}

/// The time of a whole comparison by the clock, per step of a run: 40 step sizes, 10 seeds.
Cost with_jobs(const std::string& learner, unsigned jobs) {
  return in_own_process([&] {
    Study study;
    study.cases = {{.domain = "boyan_chain"}};
    study.run = {.steps = 5000, .every = 100, .seeds = 10};
    for (int i = 0; i < 40; ++i) study.add(learner, {{"alpha", 0.1 * std::pow(0.9, i)}, {"lambda", 0.9}});
    const PreparedStudy prepared(study);
    using Clock = std::chrono::steady_clock;
    double best = 1e300;
    const auto begin = Clock::now();
    do {
      const auto start = Clock::now();
      compare(prepared, {.jobs = jobs});
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    } while (Clock::now() - begin < std::chrono::seconds(1));
    return Cost{1e6 * best / (5000.0 * 10 * 40), status_megabytes("VmHWM")};
  });
}

struct Column {
  std::string learner;
  Settings settings;
  std::size_t largest = std::size_t{1} << 62U;  // value to measure
  std::string in_batches = {};                  // what tables add to its name
};

/// A table with a line for each value, and microseconds and megabytes for each learner.
template <class Measure>
void table(const char* name, const char* title, const std::vector<Column>& columns,
           const std::vector<std::size_t>& values, Measure&& measure) {
  fmt::print("\n{}: us per step, MB\n{:>9}", title, name);
  for (const Column& c : columns) fmt::print("{:>21}", c.learner + c.in_batches);
  for (const std::size_t value : values) {
    fmt::print("\n{:>9}", value);
    for (const Column& c : columns) {
      if (value > c.largest) {
        fmt::print("{:>21}", "");
        continue;
      }
      const Cost cost = measure(c, value);
      fmt::print("{:>13.3f}{:>8.1f}", cost.us, cost.megabytes);
      std::fflush(stdout);
      results.push_back({name, c.learner + c.in_batches, value, cost});
    }
  }
  fmt::print("\n");
}

const Settings lambda{{"lambda", 0.9}};
const Settings with_step_size{{"lambda", 0.9}, {"alpha", 0.001}};
const Settings of_rank_20{{"lambda", 0.9}, {"rank", 20}};

void by_features() {
  std::vector<std::size_t> dims;
  for (unsigned power = 8; power <= 20; power += 2) dims.push_back(std::size_t{1} << power);
  table("features", "10 of d features active, lambda 0.9, rank 20",
        {{"td", with_step_size},
         {"true_online_td", with_step_size},
         {"swift_td", with_step_size},
         {"atd_compensated", of_rank_20},
         {"lstd", lambda, 4096}},
        dims, [](const Column& c, std::size_t dim) {
          return one_learner(c.learner, c.settings, dim, c.learner == "lstd" ? 2000 : 20'000);
        });
}

void by_dense_features() {
  Settings in_batches = of_rank_20;
  in_batches.emplace_back("batch", 20);
  table(
      "dense", "dense features, lambda 0.9, rank 20",
      {{"atd", of_rank_20}, {"atd", in_batches, 1 << 14, " in batches"}, {"tlstd", of_rank_20}, {"lstd", lambda, 1024}},
      {256, 1024, 4096, 16384},
      [](const Column& c, std::size_t dim) { return one_learner(c.learner, c.settings, dim, 400, Layout::dense); });
}

void by_rank() {
  table("rank", "10 of 1024 features active, lambda 0.9",
        {{"atd", lambda, 100}, {"atd", lambda, 200, " in batches"}, {"atd_compensated", lambda}, {"tlstd", lambda}},
        {5, 10, 20, 50, 100, 200}, [](const Column& c, std::size_t rank) {
          Settings settings = c.settings;
          settings.emplace_back("rank", rank);
          if (!c.in_batches.empty()) settings.emplace_back("batch", rank);
          return one_learner(c.learner, settings, 1024, 2000);
        });
}

void by_settings() {
  table("settings", "settings that learn together, 10 of 1024 features active, a step of all of them",
        {{"td", lambda}, {"true_online_td", lambda}, {"atd", of_rank_20}}, {1, 2, 4, 8, 16, 32, 64},
        [](const Column& c, std::size_t members) {
          return together(c.learner, c.settings, c.learner == "atd" ? "eta" : "alpha", 0.001, members);
        });
}

void by_jobs() {
  table("jobs", "comparison of 40 settings on Boyan's chain, by the clock; MB of the process",
        {{"td", lambda}, {"true_online_td", lambda}}, {1, 2},
        [](const Column& c, std::size_t jobs) { return with_jobs(c.learner, static_cast<unsigned>(jobs)); });
}

int run(const char* file) {
  by_features();
  by_dense_features();
  by_rank();
  by_settings();
  by_jobs();
  if (file == nullptr) return 0;
  std::ofstream csv(file);
  csv << "table,learner,value,us_per_step,megabytes\n";
  for (const Row& r : results) {
    csv << fmt::format("{},{},{},{:.4f},{:.1f}\n", r.table, r.learner, r.value, r.cost.us, r.cost.megabytes);
  }
  return csv.flush() ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
