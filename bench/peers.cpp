/// Our side of the comparison with other programs: writes the steps that all of them learn from, and learns from these
/// as the programs in peers/ do. See README.md.

#include <fmt/core.h>
#include <fmt/os.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/model/learning/learn.h>

#include "hashed_stream.h"
#include "mountain_car_stream.h"
#include "usage.h"

namespace bellwether::bench {
namespace {

using Weights = std::vector<double>;

constexpr Shape car{Layout::binary, 1024, 10};
constexpr std::size_t hashed_dim = std::size_t{1} << 20U;
constexpr std::array<std::size_t, 3> text_rows{10'000, 100'000, 1'000'000};

template <class T>
void write_array(const std::string& path, const T* values, std::size_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
  if (!file.flush()) throw IoError("bench_peers: cannot write " + path);
}

template <class T>
std::vector<T> read_array(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw IoError("bench_peers: cannot read " + path);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

/// Steps as arrays: the features of state t are index[offset[t]] .. index[offset[t + 1] - 1].
void write_steps(const std::string& prefix, const BatchBuffer& steps) {
  const Batch all = steps.view();
  std::vector<std::uint32_t> index;
  std::vector<std::uint64_t> offset{0};
  const auto add = [&](const Features& x) {
    index.insert(index.end(), x.indices, x.indices + x.size);
    offset.push_back(index.size());
  };
  for (std::size_t t = 0; t < all.size; ++t) add(all.x.row(t));
  add(all.x_next.row(all.size - 1));
  write_array(prefix + ".index", index.data(), index.size());
  write_array(prefix + ".offset", offset.data(), offset.size());
  write_array(prefix + ".reward", all.reward, all.size);
  write_array(prefix + ".discount", all.discount, all.size);
}

BatchBuffer read_steps(const std::string& prefix, std::size_t dim) {
  const auto index = read_array<std::uint32_t>(prefix + ".index");
  const auto offset = read_array<std::uint64_t>(prefix + ".offset");
  const auto reward = read_array<double>(prefix + ".reward");
  const auto discount = read_array<double>(prefix + ".discount");
  BatchBuffer steps(Layout::binary, dim);
  for (std::size_t t = 0; t + 1 < offset.size(); ++t) {
    steps.x().add_ones({index.data() + offset[t], index.data() + offset[t + 1]});
    steps.x().end_row();
    if (t < reward.size()) steps.add({.reward = reward[t], .discount = discount[t]});
  }
  return steps;
}

/// Lines to learn the return of a state from, once for Vowpal Wabbit and once for us.
void write_text(const std::string& folder, const Batch& steps, std::size_t rows) {
  auto wabbit = fmt::output_file(fmt::format("{}/returns_{}.vw", folder, rows));
  auto sparse = fmt::output_file(fmt::format("{}/returns_{}.sparse", folder, rows));
  std::vector<double> returns(steps.size);
  for (std::size_t t = steps.size; t-- > 0;) {
    returns[t] = steps.reward[t] + (t + 1 < steps.size ? steps.discount[t] * returns[t + 1] : 0);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const Features x = steps.x.row(row % steps.size);
    const std::string features = fmt::format("{}", fmt::join(x.indices, x.indices + x.size, " "));
    wabbit.print("{:.4f} | {}\n", returns[row % steps.size], features);
    sparse.print("{:.4f} 0 | {}\n", returns[row % steps.size], features);
  }
}

void write(const std::string& folder) {
  const auto steps = mountain_car(car, 100'000, 1);
  write_steps(folder + "/car", steps);
  for (const std::size_t rows : text_rows) write_text(folder, steps.view(), rows);
  write_steps(folder + "/hashed", hashed(Layout::binary, hashed_dim, 20, 200'000, 0.99, 1));
}

/// `learn` learns from so many steps, starting from zero weights, and returns the weights.
struct Task {
  std::size_t steps;
  std::function<Weights()> learn;
};

Task one_learner(const std::string& name, const Settings& settings, std::size_t steps, const BatchBuffer& data) {
  return {steps, [=, &data] {
            const auto learner = make_learner(name, data.x().dim(), settings);
            learner->learn(data.view().slice(0, steps));
            return learner->weights();
          }};
}

/// With one discount for all steps and no episodes, as some peers have it.
Task without_episodes(const std::string& name, const Settings& settings, std::size_t count, const BatchBuffer& data) {
  const std::vector<double> discount(count, 0.99);
  return {count, [=, &data] {
            const auto learner = make_learner(name, car.dim, settings);
            Batch steps = data.view().slice(0, count);
            steps.discount = discount.data();
            learner->learn(steps);
            return learner->weights();
          }};
}

/// As SwiftTD's own code has it; that code has a cutoff of 1e-5.
Task swift_td(const BatchBuffer& data, double lambda, double cutoff) {
  return without_episodes(
      "swift_td",
      {{"alpha", 0.001}, {"lambda", lambda}, {"eta", 0.1}, {"epsilon", 0.999}, {"theta", 0.001}, {"cutoff", cutoff}},
      data.size(), data);
}

/// Thirteen step sizes that learn together; the weights of all of them, one after another.
Task settings_together(const BatchBuffer& data) {
  constexpr std::size_t steps = 20'000;
  return {steps, [&data] {
            std::vector<Settings> members;
            for (int m = 0; m < 13; ++m) members.push_back({{"alpha", std::ldexp(0.01, -m)}, {"lambda", 0.9}});
            const auto all = make_ensemble("true_online_td", car.dim, members);
            all->learn(data.view().slice(0, steps));
            Weights w(members.size() * car.dim);
            for (std::size_t m = 0; m < members.size(); ++m)
              all->weights(m, std::span(w).subspan(m * car.dim, car.dim));
            return w;
          }};
}

Task from_text(const std::string& folder, std::size_t rows) {
  return {rows, [=] {
            const LearnResult result = learn({.files = {fmt::format("{}/returns_{}.sparse", folder, rows)},
                                              .dim = car.dim,
                                              .learner = "td",
                                              .settings = {{"alpha", 0.001}},
                                              .params = {.resamples = 0, .jobs = 1}});
            return result.model.learner(0).weights();
          }};
}

/// As peers/measure.py does: at least twice, and until half a second has passed; the fastest counts.
void measure(const Task& task, const std::string& weights_file) {
  double best = 1e300;
  Weights w;
  const double begin = cpu_seconds();
  for (int pass = 0; pass < 2 || cpu_seconds() - begin < 0.5; ++pass) {
    const double start = cpu_seconds();
    w = task.learn();
    best = std::min(best, cpu_seconds() - start);
  }
  write_array(weights_file, w.data(), w.size());
  fmt::print("{:.5f} {:.1f}\n", 1e6 * best / static_cast<double>(task.steps), status_megabytes("VmHWM"));
}

int run(const std::string& what, const std::string& folder) {
  if (what == "write") {
    write(folder);
    return 0;
  }
  const Settings td{{"alpha", 0.001}, {"lambda", 0.9}};
  BatchBuffer data(Layout::binary, car.dim);
  if (what == "lstd_krylov") data = read_steps(folder + "/hashed", hashed_dim);
  else if (!what.starts_with("text")) data = read_steps(folder + "/car", car.dim);
  std::map<std::string, std::function<Task()>> tasks{
      {"td", [&] { return one_learner("td", td, 100'000, data); }},
      {"td0",
       [&] {
         return one_learner("td", {{"alpha", 0.001}}, 10'000, data);
       }},
      {"true_online_td", [&] { return one_learner("true_online_td", td, 100'000, data); }},
      {"lstd",
       [&] {
         return one_learner("lstd", {{"lambda", 0.9}}, 2'000, data);
       }},
      {"lstd_solve",
       [&] {
         return without_episodes("lstd", {{"method", "direct"}}, 2'000, data);
       }},
      {"lstd_krylov", [&] { return one_learner("lstd_krylov", {}, data.size(), data); }},
      {"settings", [&] { return settings_together(data); }},
      {"swift_td", [&] { return swift_td(data, 0.9, 0); }},
      {"swift_td_95", [&] { return swift_td(data, 0.95, 0); }},
      {"swift_td_99", [&] { return swift_td(data, 0.99, 0); }},
      {"swift_td_cutoff", [&] { return swift_td(data, 0.9, 1e-5); }},
      {"swift_td_95_cutoff", [&] { return swift_td(data, 0.95, 1e-5); }},
      {"swift_td_99_cutoff", [&] { return swift_td(data, 0.99, 1e-5); }},
  };
  for (const std::size_t rows : text_rows) {
    tasks[fmt::format("text_{}", rows)] = [&folder, rows] { return from_text(folder, rows); };
  }
  const auto task = tasks.find(what);
  if (task == tasks.end()) throw InvalidArgument("bench_peers: there is no task " + what);
  measure(task->second(), folder + "/" + what + ".weights");
  return 0;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_peers write|TASK FOLDER\n");
    return 2;
  }
  try {
    return bellwether::bench::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
