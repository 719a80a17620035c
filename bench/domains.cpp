/// Nanoseconds per step of every registered domain: its simulator alone, and with its own features. See
/// README.md.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <bellwether/domains/domains.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>

#include "csv_option.h"

namespace bellwether::bench {
namespace {

struct Row {
  std::string domain;
  std::string features;
  std::size_t dim;
  double active;  // features on average
  double step;    // ns of the simulator
  double mapped;  // ns of a step of a stream: simulator, features, and storing them
};

/// Nanoseconds per step of `work(n)`, which does n steps: the fastest of many short passes.
template <class Work>
double fastest(Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int steps = 20'000;
  double best = 1e300;
  for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::seconds(1);) {
    const auto pass = Clock::now();
    work(steps);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - pass).count() / steps);
  }
  return best;
}

double simulator(const Domain& domain) {
  Rng rng(1);
  std::vector<double> state(domain.variables().size());
  domain.start(rng, state);
  return fastest([&](int steps) {
    for (int t = 0; t < steps; ++t) {
      if (domain.step(rng, state).discount == 0) domain.start(rng, state);
    }
  });
}

Row measured(const std::string& name, const std::string& description) {
  const auto domain = make_domain(name);
  const std::shared_ptr<const FeatureMap> features = make_features(description, *domain, 1);
  Stream stream(*domain, features, 1);
  const Batch batch = stream.next(1000);
  double active = 0;
  for (std::size_t t = 0; t < batch.size; ++t) active += static_cast<double>(batch.x.row(t).size);
  constexpr int chunk = 100;  // a batch that stays in the first-level cache
  const double mapped = fastest([&](int steps) {
    for (int t = 0; t < steps; t += chunk) stream.next(chunk);
  });
  return {name, description, features->dim(), active / static_cast<double>(batch.size), simulator(*domain), mapped};
}

void write_csv(const char* path, const std::vector<Row>& rows) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    std::perror(path);
    std::exit(1);
  }
  fmt::print(file, "domain,features,dim,active,simulator_ns,stream_ns\n");
  for (const Row& r : rows) {
    fmt::print(file, "{},{},{},{:.1f},{:.1f},{:.1f}\n", r.domain, r.features, r.dim, r.active, r.step, r.mapped);
  }
  std::fclose(file);
}

int run(const char* csv) {
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const DomainEntry& entry : domains()) wanted.emplace_back(entry.name, "own");
  for (const char* more : {"own+noise", "fourier(order=7)", "radial_basis", "polynomial"}) {
    wanted.emplace_back("mountain_car", more);
  }
  fmt::print("{:<14} {:<18} {:>6} {:>7} {:>14} {:>14} {:>14}\n", "domain", "features", "d", "active", "simulator ns",
             "stream ns", "steps/s");
  std::vector<Row> rows;
  for (const auto& [name, description] : wanted) {
    const Row r = measured(name, description);
    fmt::print("{:<14} {:<18} {:>6} {:>7.1f} {:>14.1f} {:>14.1f} {:>14.3g}\n", r.domain, r.features, r.dim, r.active,
               r.step, r.mapped, 1e9 / r.mapped);
    rows.push_back(r);
  }
  if (csv != nullptr) write_csv(csv, rows);
  return 0;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
