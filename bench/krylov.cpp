/// Exact least squares with and without the matrix, within one run. See README.md.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/least_squares/equations/prepared_log.h>
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
  double learning = 0;
  double solving = 0;
  std::string iterations, residual;
  double megabytes = 0;
};

std::vector<Measured> results;

/// Processor time of this process; other work on the machine disturbs it less than the clock.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The peak memory of this process so far.
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void show(const Measured& m) {
  fmt::print("{:<18}{:<36}{:>9} steps {:>9.2f} s {:>9.2f} s {:>6} {:>10} {:>8.0f} MB\n", m.learner, m.settings, m.steps,
             m.learning, m.solving, m.iterations, m.residual, m.megabytes);
  std::fflush(stdout);
  results.push_back(m);
}

/// Learns and reads the weights once. The memory is the peak of the whole process, streams included.
std::vector<double> measure(const std::string& name, const Settings& settings, const Shape& shape, const Batch& batch) {
  const auto learner = make_learner(name, shape.dim, settings);
  Measured m{name, text_of(settings), shape, batch.size, 0, 0, "", "", 0};
  const double begin = cpu_seconds();
  learner->learn(batch);
  m.learning = cpu_seconds() - begin;
  const auto w = learner->weights();
  m.solving = cpu_seconds() - begin - m.learning;
  for (const auto& [key, value] : learner->findings()) {
    if (key == "iterations") m.iterations = value;
    if (key == "residual") m.residual = value;
  }
  m.megabytes = peak_megabytes();
  show(m);
  return w;
}

/// The same equations without the preconditioner, to show what it gains.
void without_preconditioner(double lambda, const Shape& shape, const Batch& batch) {
  TransitionLog log(shape.dim, std::size_t{1} << 28U, false);
  Measured m{"idr", fmt::format("lambda={} no preconditioner", lambda), shape, batch.size, 0, 0, "", "", 0};
  const double begin = cpu_seconds();
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    log.append(batch.x.as<BinaryView>(t), batch.x_next.as<BinaryView>(t),
               {batch.reward[t], batch.discount[t], g * lambda, 1.0}, nullptr);
    g = batch.discount[t];
  }
  m.learning = cpu_seconds() - begin;
  const std::size_t n = log.features();
  std::vector<double> b(n);
  std::vector<double> w(n);
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
  const Idr::Result result = idr.solve(b, w);
  m.solving = cpu_seconds() - begin - m.learning;
  m.iterations = std::to_string(result.iterations);
  m.residual = fmt::format("{:.4g}", result.residual);
  m.megabytes = peak_megabytes();
  show(m);
}

void mountain_car_table() {
  constexpr Shape shape{Layout::binary, 1024, 10};
  const auto stream = mountain_car(shape, 100'000, 1);
  fmt::print("Mountain Car, 1024 features, 10 active: learning, one solution, iterations, residual\n");
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
    measure("lstd_krylov", {{"lambda", c.lambda}, {"inverse_init", c.p0}}, {c.layout, dim, c.active}, stream.view());
  }
}

int run(const char* file) {
  mountain_car_table();
  hashed_table();
  if (file == nullptr) return 0;
  std::ofstream csv(file);
  csv << "learner,settings,layout,features,active,steps,seconds_learning,seconds_solving,iterations,residual,"
         "peak_megabytes_so_far\n";
  for (const Measured& m : results) {
    const char* layout = m.shape.layout == Layout::binary ? "binary" : "sparse";
    csv << fmt::format("{},{},{},{},{},{},{:.3f},{:.3f},{},{},{:.0f}\n", m.learner, m.settings, layout, m.shape.dim,
                       m.shape.active, m.steps, m.learning, m.solving, m.iterations, m.residual, m.megabytes);
  }
  return csv.flush() ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
