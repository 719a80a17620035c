/// What learners cost that learn together, against one of them alone. See README.md.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <bellwether/domains/domains.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "csv_option.h"

namespace bellwether::bench {
namespace {

constexpr std::size_t steps = 5000;

struct Steps {
  const char* domain;
  const char* features;
};
constexpr Steps boyan{"boyan_chain", "own"};
constexpr Steps car{"mountain_car", "own"};

/// Members that differ in `parameter`: largest, largest / 2, largest / 4, ...
struct Case {
  const char* learner;
  Steps steps;
  std::size_t members;
  const char* parameter;
  double largest;
  Settings others;
};

const std::vector<Case>& cases() {
  static const Settings lambda{{"lambda", "0.95"}};
  static const std::vector<Case> all = [] {
    std::vector<Case> rows;
    for (const Steps& where : {boyan, car}) {
      for (const char* learner : {"td", "true_online_td", "etd", "true_online_etd", "gtd", "gtd2", "tdrc", "htd",
                                  "true_online_gtd", "vtrace", "tree_backup", "implicit_td"}) {
        rows.push_back({learner, where, 13, "alpha", 0.01, lambda});
      }
    }
    for (const Steps& where : {boyan, car}) {
      const Settings rank{{"lambda", "0.95"}, {"rank", where.domain == boyan.domain ? "4" : "50"}};
      rows.push_back({"atd", where, 13, "eta", 0.001, rank});
      rows.push_back({"tlstd", where, 5, "cutoff", 0.1, rank});
      rows.push_back({"ilstd", where, 13, "alpha", 0.001, lambda});
      rows.push_back({"lstd", where, 13, "inverse_init", 100, lambda});
    }
    return rows;
  }();
  return all;
}

struct Row {
  double alone = 1e300;     // ms
  double together = 1e300;  // ms
  std::size_t diverged = 0;
};

/// The fastest of many passes, in which both take turns. Each starts with a new learner, which does not count. The one
/// alone is the member in the middle.
Row measured(const Case& c) {
  const auto domain = make_domain(c.steps.domain);
  Stream stream(*domain, make_features(c.steps.features, *domain, 1), 1);
  const Batch batch = stream.next(steps);
  std::vector<Settings> members;
  for (std::size_t m = 0; m < c.members; ++m) {
    members.push_back(c.others);
    members.back().emplace_back(c.parameter, format_number(std::ldexp(c.largest, -static_cast<int>(m))));
  }
  Row row;
  using Clock = std::chrono::steady_clock;
  const auto time = [&](auto&& learner, double& best) {
    const auto begin = Clock::now();
    learner->learn(batch);
    best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    return learner;
  };
  for (const auto begin = Clock::now(); Clock::now() - begin < std::chrono::milliseconds(500);) {
    time(make_learner(c.learner, stream.dim(), members[c.members / 2]), row.alone);
    const auto all = time(make_ensemble(c.learner, stream.dim(), members), row.together);
    row.diverged = 0;
    for (std::size_t m = 0; m < c.members; ++m) row.diverged += all->diverged_at(m) ? 1 : 0;
  }
  return row;
}

int run(const char* csv) {
  std::FILE* file = csv == nullptr ? nullptr : std::fopen(csv, "w");
  if (csv != nullptr && file == nullptr) {
    std::perror(csv);
    return 1;
  }
  if (file != nullptr) fmt::print(file, "learner,domain,members,differing,alone_ms,together_ms,ratio,diverged\n");
  fmt::print("{:<18} {:<14} {:>7} {:>10} {:>10} {:>12} {:>6}\n", "learner", "domain", "members", "differing",
             "alone ms", "together ms", "ratio");
  for (const Case& c : cases()) {
    const Row r = measured(c);
    const double ratio = r.together / r.alone;
    fmt::print("{:<18} {:<14} {:>7} {:>10} {:>10.3f} {:>12.3f} {:>6.2f}{}\n", c.learner, c.steps.domain, c.members,
               c.parameter, r.alone, r.together, ratio,
               r.diverged == 0 ? "" : fmt::format("   {} diverged", r.diverged));
    if (file != nullptr) {
      fmt::print(file, "{},{},{},{},{:.4f},{:.4f},{:.3f},{}\n", c.learner, c.steps.domain, c.members, c.parameter,
                 r.alone, r.together, ratio, r.diverged);
    }
  }
  if (file != nullptr) std::fclose(file);
  return 0;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
