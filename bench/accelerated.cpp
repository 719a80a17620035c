/// What accelerated TD and least squares cost, as ratios within one run. See README.md.

#include <fmt/core.h>
#include <unistd.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/learners/learners.h>
#include <bellwether/linalg/simd/kernels.h>

#include "mountain_car_stream.h"
#include "svd_every_step.h"

namespace bellwether::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Microseconds per step of `learn(batch)`: the fastest of several passes over the stream, after a first one that is
/// not timed. A busy machine makes a pass slower, never faster.
template <class Learn>
double microseconds(Learn&& learn, const Batch& stream, double seconds) {
  learn(stream);
  double best = 1e300;
  const auto begin = Clock::now();
  do {
    const auto pass = Clock::now();
    learn(stream);
    best = std::min(best, seconds_since(pass));
  } while (seconds_since(begin) < seconds);
  return 1e6 * best / static_cast<double>(stream.size);
}

struct Measured {
  std::string learner, settings;
  Shape shape;
  double us;
  std::string note;
};

std::vector<Measured> results;

std::string text(const Settings& settings) {
  std::string all;
  for (const auto& [key, value] : settings) all += (all.empty() ? "" : " ") + key + "=" + value;
  return all;
}

double measure(const std::string& name, const Settings& settings, const Shape& shape, const Batch& stream,
               double seconds) {
  const auto learner = make_learner(name, shape.dim, settings);
  const double us = microseconds([&](const Batch& batch) { learner->learn(batch); }, stream, seconds);
  results.push_back({name, text(settings), shape, us, learner->diverged_at() ? "diverged" : ""});
  return us;
}

/// Time to read and write n^2 numbers once: the least that an update of a matrix can take if it is not combined with
/// others.
double matrix_floor(std::size_t n) {
  std::vector<double> matrix(n * n, 1.0);
  double best = 1e300;
  for (int pass = 0; pass < 30; ++pass) {
    const auto begin = Clock::now();
    kernels::scale(1.0000001, matrix.data(), matrix.size());
    best = std::min(best, seconds_since(begin));
  }
  return 1e6 * best;
}

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  double size = 0;
  double resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void line(const char* what, double us, double base) {
  fmt::print("{:<64}{:>10.2f} us {:>9.1f}\n", what, us, us / base);
}

void headline(double seconds) {
  constexpr Shape sparse{Layout::binary, 1024, 10};
  constexpr Shape dense{Layout::dense, 1024, 1024};
  const auto steps = mountain_car(sparse, 8192, 1);
  const auto few = steps.view().slice(0, 512);
  const auto dense_steps = mountain_car(dense, 256, 1);
  fmt::print("{} features, {} active, lambda 0.9{:>35}   times TD\n", sparse.dim, sparse.active, "per step");
  const double td = measure("td", {{"alpha", "1e-5"}, {"lambda", "0.9"}}, dense, dense_steps.view(), seconds);
  line("td, dense features", td, td);
  const auto compensated = [&](const char* rank, const char* replay) {
    const double us = measure("atd_compensated", {{"lambda", "0.9"}, {"rank", rank}, {"replay", replay}}, sparse,
                              steps.view(), seconds);
    line(fmt::format("atd_compensated rank={} replay={}", rank, replay).c_str(), us, td);
    return us;
  };
  compensated("10", "0");
  const double rank10 = compensated("10", "1000");
  compensated("10", "2000");
  compensated("50", "0");
  const double rank50 = compensated("50", "1000");
  const double lstd = measure("lstd", {{"lambda", "0.9"}}, sparse, steps.view(), seconds);
  line("lstd", lstd, td);
  const double atd = measure("atd", {{"lambda", "0.9"}, {"rank", "50"}}, sparse, few, seconds);
  line("atd rank=50", atd, td);
  SvdEveryStep reference(sparse.dim, 50, 0.9, 0.01);
  const double svd = microseconds([&](const Batch& batch) { reference.learn(batch); }, few.slice(0, 256), 0.1);
  results.push_back({"svd_every_step", "rank=50 lambda=0.9", sparse, svd, "Eigen's BDCSVD at every step"});
  line("the same with Eigen's BDCSVD at every step", svd, td);
  const double floor = matrix_floor(sparse.dim);
  results.push_back({"matrix_floor", "", dense, floor, "reading and writing d x d numbers"});
  line("reading and writing a 1024 x 1024 matrix", floor, td);
  fmt::print("\nlstd / atd_compensated rank 10: {:.1f}, rank 50: {:.1f}   (with replay)\n", lstd / rank10,
             lstd / rank50);
  fmt::print("svd every step / atd: {:.1f}\nlstd / matrix floor: {:.2f}\n", svd / atd, lstd / floor);

  fmt::print("\n1024 dense features\n");
  for (const char* rank : {"10", "50"}) {
    for (const char* replay : {"0", "1000"}) {
      const double us = measure("atd_compensated", {{"lambda", "0.9"}, {"rank", rank}, {"replay", replay}}, dense,
                                dense_steps.view(), seconds);
      line(fmt::format("atd_compensated rank={} replay={}", rank, replay).c_str(), us, td);
    }
  }
  line("lstd", measure("lstd", {{"lambda", "0.9"}}, dense, dense_steps.view(), seconds), td);
}

/// Microseconds by number of features and rank.
void table(const char* name, Layout layout, std::size_t largest, double seconds) {
  const Settings none{{"lambda", "0.9"}};
  fmt::print("\n{}, {} features, us per step\n{:>8}", name, layout == Layout::dense ? "dense" : "10 active of d", "d");
  const std::vector<std::string> ranks{"10", "20", "50", "100", "200"};
  for (const auto& rank : ranks) fmt::print("{:>10}", "k = " + rank);
  for (std::size_t dim = 256; dim <= largest; dim *= 2) {
    const Shape shape{layout, dim, layout == Layout::dense ? dim : 10};
    const auto steps = mountain_car(shape, layout == Layout::dense ? 256 : 4096, 1);
    fmt::print("\n{:>8}", dim);
    for (const auto& rank : ranks) {
      Settings settings = none;
      settings.emplace_back("rank", rank);
      if (std::string(name) == "atd_compensated") settings.emplace_back("replay", "0");
      const std::size_t count = std::string(name) == "atd" ? std::min<std::size_t>(steps.size(), 512) : steps.size();
      fmt::print("{:>10.1f}", measure(name, settings, shape, steps.view().slice(0, count), seconds));
      std::fflush(stdout);
    }
  }
  fmt::print("\n");
}

void million() {
  constexpr Shape shape{Layout::binary, 1000000, 10};
  const auto steps = mountain_car(shape, 100000, 1);
  fmt::print("\n1,000,000 features, 10 active, rank 20, {} steps\n", steps.size());
  for (const char* name : {"atd_compensated", "atd"}) {
    const std::size_t count = std::string(name) == "atd" ? 100 : steps.size();
    const double before = resident_megabytes();
    const auto learner = make_learner(name, shape.dim, {{"rank", "20"}, {"lambda", "0.9"}});
    const auto begin = Clock::now();
    learner->learn(steps.view().slice(0, count));
    const double us = 1e6 * seconds_since(begin) / static_cast<double>(count);
    const double megabytes = resident_megabytes() - before;
    results.push_back({name, "rank=20 lambda=0.9", shape, us, fmt::format("{:.0f} MB", megabytes)});
    fmt::print("{:<20}{:>12.1f} us per step {:>8.0f} MB\n", name, us, megabytes);
  }
}

bool write_csv(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) return false;
  fmt::print(file, "learner,settings,layout,features,active,us_per_step,note\n");
  for (const Measured& m : results) {
    fmt::print(file, "{},{},{},{},{},{:.3f},{}\n", m.learner, m.settings,
               m.shape.layout == Layout::dense ? "dense" : "binary", m.shape.dim, m.shape.active, m.us, m.note);
  }
  return std::fclose(file) == 0;
}

int run(int argc, char** argv) {
  std::optional<const char*> csv;
  bool tables = true;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--csv" && i + 1 < argc) {
      csv = argv[++i];
    } else if (argument == "--headline") {
      tables = false;
    } else {
      std::fprintf(stderr, "usage: bench_accelerated [--headline] [--csv FILE]\n");
      return 2;
    }
  }
  headline(1.0);
  if (tables) {
    table("atd_compensated", Layout::binary, 1U << 14U, 0.2);
    table("atd_compensated", Layout::dense, 1U << 12U, 0.2);
    table("atd", Layout::binary, 1U << 14U, 0.1);
    million();
  }
  if (csv && !write_csv(*csv)) {
    std::fprintf(stderr, "cannot write %s\n", *csv);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::run(argc, argv); }
