/// How long single steps take: the median, the 99.9th percentile and the longest. See README.md.

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <bellwether/learners/learners.h>

#include "csv_option.h"
#include "mountain_car_stream.h"

namespace bellwether::bench {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time of each step but the first thousand, in microseconds, sorted: for every step the shortest of `passes`
/// equal runs, so that interruptions do not count.
std::vector<double> times(const std::string& name, const Settings& settings, const Batch& batch, std::size_t passes) {
  constexpr std::size_t first = 1000;
  std::vector<double> us(batch.size - first, 1e300);
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const auto learner = make_learner(name, batch.dim(), settings);
    for (std::size_t t = 0; t < batch.size; ++t) {
      const double start = thread_seconds();
      learner->learn(batch.slice(t, 1));
      if (t >= first) us[t - first] = std::min(us[t - first], 1e6 * (thread_seconds() - start));
    }
  }
  std::sort(us.begin(), us.end());
  return us;
}

int run(const char* file) {
  constexpr std::size_t steps = 50000;
  const auto data = mountain_car({Layout::binary, 1024, 10}, steps, 1);
  std::string csv = "learner,settings,mean_us,median_us,p99.9_us,longest_us\n";
  fmt::print("{:<44} {:>9} {:>9} {:>9} {:>9}\n", "us a step, 50,000 steps of 1024/10", "mean", "median", "99.9 %",
             "longest");
  for (const auto& [name, settings] : std::vector<std::pair<std::string, Settings>>{
           {"true_online_td", {{"alpha", "0.01"}}},
           {"atd_compensated", {}},
           {"lstd_stream", {}},
           {"lstd_stream", {{"spread", "true"}}},
           {"lstd_stream", {{"half_life", "5000"}}},
           {"lstd_stream", {{"half_life", "5000"}, {"spread", "true"}}},
       }) {
    const std::vector<double> us = times(name, settings, data.view(), 3);
    const auto quantile = [&](double q) {
      return us[static_cast<std::size_t>(q * static_cast<double>(us.size() - 1))];
    };
    const double mean = std::accumulate(us.begin(), us.end(), 0.0) / static_cast<double>(us.size());
    std::string text;
    for (const auto& [key, value] : settings) text += fmt::format(" {}={}", key, value);
    fmt::print("{:<44} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n", name + text, mean, quantile(0.5), quantile(0.999),
               us.back());
    csv += fmt::format("{},{},{:.2f},{:.2f},{:.2f},{:.2f}\n", name, text.empty() ? text : text.substr(1), mean,
                       quantile(0.5), quantile(0.999), us.back());
  }
  if (file == nullptr) return 0;
  std::ofstream out(file);
  out << csv;
  return out.flush() ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::with_csv_option(argc, argv, bellwether::bench::run); }
