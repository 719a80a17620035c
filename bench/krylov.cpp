/// Exact least squares with and without the matrix, within one run. See README.md.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include <bellwether/core/support/thread_limit.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/least_squares/equations/log_equations.h>
#include <bellwether/linalg/krylov/idr.h>

#include "csv_option.h"
#include "hashed_stream.h"
#include "mountain_car_stream.h"

namespace bellwether::bench {
namespace {

struct Measured {
  std::string learner, settings;
  Shape shape;
  std::size_t steps = 0;
  unsigned threads = 1;
  double learning = 0;       // processor seconds
  double solving = 0;        // of all threads together
  double solving_clock = 0;  // by the clock
  std::string iterations = "", residual = "";
  double megabytes = 0;
};

std::vector<Measured> results;

/// Processor time of this process; other work on the machine disturbs it less than the clock.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The peak memory of this process so far.
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void show(const Measured& m) {
  fmt::print("{:<14}{:<36}{:>9} steps {:>3} {:>8.2f} s {:>8.2f} s {:>8.2f} s {:>6} {:>10} {:>6.0f} MB\n", m.learner,
             m.settings, m.steps, m.threads, m.learning, m.solving, m.solving_clock, m.iterations, m.residual,
             m.megabytes);
  std::fflush(stdout);
  results.push_back(m);
}

/// Learns and reads the weights once. The memory is the peak of the whole process, streams included.
std::vector<double> measure(const std::string& name, const Settings& settings, const Shape& shape, const Batch& batch,
                            unsigned threads = 1) {
  const ThreadLimit limit(threads);
  const auto learner = make_learner(name, shape.dim, settings);
  Measured m{.learner = name, .settings = text_of(settings), .shape = shape, .steps = batch.size, .threads = threads};
  const double begin = cpu_seconds();
  learner->learn(batch);
  m.learning = cpu_seconds() - begin;
  const double begin_clock = clock_seconds();
  const auto w = learner->weights();
  m.solving = cpu_seconds() - begin - m.learning;
  m.solving_clock = clock_seconds() - begin_clock;
  for (const auto& [key, value] : learner->findings()) {
    if (key == "iterations") m.iterations = value;
    if (key == "residual") m.residual = value;
  }
  m.megabytes = peak_megabytes();
  show(m);
  return w;
}

TransitionLog log_of(double lambda, const Shape& shape, const Batch& batch) {
  TransitionLog log(shape.dim, std::size_t{1} << 28U, false);
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    log.append(batch.x.as<BinaryView>(t), batch.x_next.as<BinaryView>(t),
               {batch.reward[t], batch.discount[t], g * lambda, 1.0}, nullptr);
    g = batch.discount[t];
  }
  return log;
}

/// Solves by `solve(w)`, and shows what that took.
template <class Solve>
void measure_solution(const std::string& solver, const std::string& settings, const Shape& shape, std::size_t steps,
                      std::size_t features, Solve&& solve) {
  Measured m{.learner = solver, .settings = settings, .shape = shape, .steps = steps};
  const double begin = cpu_seconds();
  const double begin_clock = clock_seconds();
  std::vector<double> w(features);
  const Idr::Result result = solve(w);
  m.solving = cpu_seconds() - begin;
  m.solving_clock = clock_seconds() - begin_clock;
  m.iterations = std::to_string(result.iterations);
  m.residual = fmt::format("{:.4g}", result.residual);
  m.megabytes = peak_megabytes();
  show(m);
}

/// The same equations without the preconditioner, to show what it gains.
void without_preconditioner(double lambda, const Shape& shape, const Batch& batch) {
  const TransitionLog log = log_of(lambda, shape, batch);
  const std::size_t n = log.features();
  std::vector<double> b(n);
  const PreparedLog prepared(log, PreparedLog::Numbering::kept);
  prepared.right_side(b.data());
  const Idr idr{.multiply =
                    [&](const double* v, double* out) {
                      prepared.product(v, out);
                      kernels::axpy(1.0, v, out, n);
                    },
                .precondition = [&](const double* v, double* out) { std::copy_n(v, n, out); },
                .iterations = 5000,
                .tolerance = 1e-10};
  measure_solution("idr", fmt::format("lambda={} no preconditioner", lambda), shape, batch.size, n,
                   [&](std::vector<double>& w) { return idr.solve(b, w); });
}

/// When the block of the preconditioner is formed: from the start, after the fewest products that lstd_krylov makes
/// without it, and never.
void block_table() {
  fmt::print("\nThe block of the preconditioner after 0, 300 and any number of products, one thread\n");
  const auto compare = [](const char* what, double lambda, double ridge, const Shape& shape, const Batch& batch) {
    const TransitionLog log = log_of(lambda, shape, batch);
    for (const std::size_t products : {std::size_t{0}, std::size_t{300}, std::numeric_limits<std::size_t>::max()}) {
      const char* const when = products == 0 ? "first" : products == 300 ? "after 300" : "never";
      measure_solution("log_equations", fmt::format("{} lambda={} ridge={:g} block {}", what, lambda, ridge, when),
                       shape, batch.size, log.features(), [&](std::vector<double>& w) {
                         LogEquations equations(log, ridge);
                         equations.form_block_after(products);
                         return equations.solve(1e-10, 2000, w);
                       });
    }
  };
  constexpr Shape words{Layout::binary, 200'000, 20};
  const auto hashed_steps = hashed(words.layout, words.dim, words.active, 200'000, 0.99, 1);
  for (const double lambda : {0.0, 0.9}) compare("hashed", lambda, 1, words, hashed_steps.view());
  compare("hashed", 0, 1e-2, words, hashed_steps.view());
  constexpr Shape tiles{Layout::binary, 4096, 10};
  const auto car = mountain_car(tiles, 100'000, 1);
  for (const double lambda : {0.0, 0.9}) compare("car", lambda, 1, tiles, car.view());
}

void mountain_car_table() {
  constexpr Shape shape{Layout::binary, 1024, 10};
  const auto stream = mountain_car(shape, 100'000, 1);
  fmt::print(
      "Mountain Car, 1024 features, 10 active: threads; processor seconds for learning and for one solution, seconds "
      "by "
      "the clock for the solution; iterations, residual\n");
  for (const char* lambda : {"0", "0.9", "0.95"}) {
    const auto exact = measure("lstd", {{"lambda", lambda}, {"method", "direct"}}, shape, stream.view());
    measure("lstd", {{"lambda", lambda}}, shape, stream.view());
    const double lstd = results.back().learning;
    const auto w = measure("lstd_krylov", {{"lambda", lambda}}, shape, stream.view());
    const double krylov = results.back().learning + results.back().solving;
    without_preconditioner(std::stod(lambda), shape, stream.view());
    double difference = 0;
    double size = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      difference += (w[j] - exact[j]) * (w[j] - exact[j]);
      size += exact[j] * exact[j];
    }
    fmt::print("lstd / lstd_krylov: {:.0f}; |w - w_lstd| / |w_lstd| = {:.1e}\n", lstd / krylov,
               std::sqrt(difference / size));
  }
}

void hashed_table() {
  struct Case {
    Layout layout;
    std::size_t active;
    const char* lambda;
    const char* p0;
  };
  constexpr std::size_t dim = 1'000'000;
  fmt::print("\n1,000,000 hashed features, 1,000,000 steps, discount 0.99\n");
  for (const Case& c :
       {Case{Layout::binary, 10, "0", "1"}, Case{Layout::binary, 20, "0", "1"}, Case{Layout::binary, 20, "0.9", "1"},
        Case{Layout::sparse, 40, "0", "1"}, Case{Layout::binary, 20, "0", "1e3"}}) {
    const auto stream = hashed(c.layout, dim, c.active, 1'000'000, 0.99, 1);
    for (const unsigned threads : {1U, allowed_threads()}) {
      measure("lstd_krylov", {{"lambda", c.lambda}, {"inverse_init", c.p0}}, {c.layout, dim, c.active}, stream.view(),
              threads);
      if (threads == allowed_threads()) break;
    }
  }
}

int run(const char* file) {
  mountain_car_table();
  hashed_table();
  block_table();
  if (file == nullptr) return 0;
  std::ofstream csv(file);
  csv << "learner,settings,layout,features,active,steps,threads,seconds_learning,seconds_solving,clock_solving,"
         "iterations,residual,"
         "peak_megabytes_so_far\n";
  for (const Measured& m : results) {
    const char* layout = m.shape.layout == Layout::binary ? "binary" : "sparse";
    csv << fmt::format("{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{},{},{:.0f}\n", m.learner, m.settings, layout,
                       m.shape.dim, m.shape.active, m.steps, m.threads, m.learning, m.solving, m.solving_clock,
                       m.iterations, m.residual, m.megabytes);
  }
  return csv.flush() ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
