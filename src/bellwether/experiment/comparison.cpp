#include <bellwether/experiment/comparison.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/experiment/driver.h>

namespace bellwether {

namespace {

void check_size(const PreparedStudy& study) {
  constexpr double most = 1e9;
  const double measured = static_cast<double>(study.study().run.steps) / static_cast<double>(study.study().run.every) *
                          static_cast<double>(study.study().seeds()) *
                          static_cast<double>(study.study().settings.size()) *
                          static_cast<double>(study.metrics().size());
  if (measured > most) {
    throw InvalidArgument(
        fmt::format("run: steps / every * runs * learners * metrics = {:.3g} is outside [1, {}]", measured, most));
  }
  require_memory(sizeof(double) * measured, fmt::format("run: {:.3g} measured errors", measured),
                 "measure less often, with a larger `every`");
}

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// The seeds of one setting, in order.
SettingSummary summarise(const StudySetting& setting, const std::vector<Trial>& trials, const PreparedStudy& study) {
  SettingSummary summary;
  summary.setting = setting;
  std::vector<const Trial*> finished;
  std::vector<double> seconds;
  const Metric first = study.metrics().front();
  for (const Trial& trial : trials) {
    seconds.push_back(trial.seconds);
    if (trial.diverged_at) ++summary.diverged;
    else finished.push_back(&trial);
    const std::vector<double>& curve = trial.curves.front();
    if (!trial.diverged_at && has_grown(first, curve.front(), curve.back())) ++summary.grown;
  }
  summary.seconds_per_step = median(std::move(seconds)) / static_cast<double>(study.study().run.steps);
  summary.findings = trials.front().findings;
  std::vector<double> sample(finished.size());
  const auto over_seeds = [&](auto&& value_of) {
    std::transform(finished.begin(), finished.end(), sample.begin(), [&](const Trial* t) { return value_of(*t); });
    return estimate(sample);
  };
  for (std::size_t m = 0; m < study.metrics().size(); ++m) {
    Curve curve;
    for (std::size_t point = 0; point < study.at().size(); ++point) {
      curve.at.push_back(over_seeds([&](const Trial& trial) { return trial.curves[m][point]; }));
    }
    curve.average = over_seeds([&](const Trial& trial) { return mean(trial.curves[m]); });
    curve.last = curve.at.back();
    summary.curves.push_back(std::move(curve));
  }
  return summary;
}

}  // namespace

std::vector<SettingSummary> compare(const PreparedStudy& study, const Workers& workers, const Progress& progress) {
  check_size(study);
  const double all_steps = static_cast<double>(study.study().runs()) * static_cast<double>(study.study().run.steps);
  std::uint64_t done = 0;
  std::mutex mutex;
  WorkOptions options;
  options.learned = [&](std::uint64_t steps) {
    const std::lock_guard lock(mutex);
    done += steps;
    if (progress) progress(static_cast<double>(done) / all_steps);
  };
  const std::vector<StudySetting>& settings = study.study().settings;
  std::vector<std::vector<Trial>> trials(settings.size(), std::vector<Trial>(study.study().seeds()));
  run_units(study, units_by_seed(study.study()), options, workers, [&](const WorkUnit& work, UnitResult result) {
    for (std::size_t i = 0; i < work.settings.size(); ++i) {
      std::move(result.trials[i].begin(), result.trials[i].end(),
                trials[work.settings[i]].begin() + static_cast<std::ptrdiff_t>(work.first_seed));
    }
  });
  std::vector<SettingSummary> summaries;
  for (std::size_t i = 0; i < settings.size(); ++i) summaries.push_back(summarise(settings[i], trials[i], study));
  return summaries;
}

bool better(const SettingSummary& a, const SettingSummary& b, Metric metric) {
  if (a.diverged != b.diverged) return a.diverged < b.diverged;
  const double of_a = a.curves.front().average.mean;
  const double of_b = b.curves.front().average.mean;
  return larger_is_better(metric) ? of_a > of_b : of_a < of_b;
}

}  // namespace bellwether
