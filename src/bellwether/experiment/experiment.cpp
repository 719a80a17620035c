#include <bellwether/experiment/experiment.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include <bellwether/experiment/stream.h>
#include <bellwether/features/all.h>
#include <bellwether/learners/all.h>

namespace bellwether {

namespace {

using Clock = std::chrono::steady_clock;

void check(const Experiment& experiment) {
  const auto require = [](bool holds, const char* what, std::uint64_t value) {
    if (!holds) throw InvalidArgument(fmt::format("run: {} = {} is outside [1, inf)", what, value));
  };
  require(experiment.steps > 0, "steps", experiment.steps);
  require(experiment.every > 0, "every", experiment.every);
  require(experiment.runs > 0, "runs", experiment.runs);
  if (experiment.contenders.empty()) throw InvalidArgument("run: there is no learner to run");
  if (experiment.domain == nullptr) throw InvalidArgument("run: there is no domain to run on");
  constexpr double most = 1e9;  // errors are kept in memory
  const double measured = static_cast<double>(experiment.steps) / static_cast<double>(experiment.every) *
                          static_cast<double>(experiment.runs) * static_cast<double>(experiment.contenders.size());
  if (measured > most) {
    throw InvalidArgument(
        fmt::format("run: steps / every * runs * learners = {:.3g} is outside [1, {}]", measured, most));
  }
}

std::shared_ptr<const FeatureMap> make_features(const Experiment& experiment, std::uint64_t run) {
  if (experiment.features.empty()) return experiment.domain->features(experiment.seed, run);
  return make_feature_map(experiment.features, *experiment.domain, experiment.feature_settings);
}

std::vector<std::uint64_t> measuring_steps(const Experiment& experiment) {
  std::vector<std::uint64_t> at;
  for (std::uint64_t t = 0; t < experiment.steps; t += experiment.every) at.push_back(t);
  at.push_back(experiment.steps);
  return at;
}

/// One contender in one run.
struct Trial {
  std::vector<double> error;
  bool diverged = false;
  double seconds = 0;
  Settings findings;
};

/// Every contender on the steps of one run.
std::vector<Trial> run_once(const Experiment& experiment, const std::vector<std::uint64_t>& at, Metric metric,
                            std::uint64_t run) {
  const auto features = make_features(experiment, run);
  Evaluator error_of(EvaluationSet::every_state(*experiment.domain, *features), metric);
  const std::vector<double> initial = experiment.domain->initial_weights();

  std::vector<std::unique_ptr<Learner>> contenders;
  for (const Contender& contender : experiment.contenders) {
    contenders.push_back(make_learner(contender.learner, features->dim(), contender.settings));
    if (experiment.features.empty() && !initial.empty()) contenders.back()->start_from(initial);
  }

  std::vector<Trial> trials(contenders.size());
  Stream stream(*experiment.domain, features, experiment.seed, run);
  std::uint64_t t = 0;
  for (const std::uint64_t until : at) {
    while (t < until) {
      constexpr std::uint64_t batch_size = 4096;  // so that memory does not grow with the distance of measurements
      const Batch batch = stream.next(std::min(batch_size, until - t));
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        const auto begin = Clock::now();
        contenders[i]->learn(batch);
        trials[i].seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      }
      t += batch.size;
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) trials[i].error.push_back(error_of(*contenders[i]));
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    trials[i].diverged = contenders[i]->diverged_at().has_value();
    trials[i].findings = contenders[i]->findings();
  }
  return trials;
}

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

double median(std::vector<double> v) {
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// `trials` are those of one contender, in the order of the runs.
LearningCurve summarise(const std::vector<const Trial*>& trials, std::uint64_t steps) {
  LearningCurve curve;
  std::vector<const Trial*> finished;
  std::vector<double> seconds;
  for (const Trial* trial : trials) {
    seconds.push_back(trial->seconds);
    if (trial->diverged) ++curve.diverged;
    else finished.push_back(trial);
  }
  curve.seconds_per_step = median(std::move(seconds)) / static_cast<double>(steps);
  std::vector<double> sample(finished.size());
  const auto over_runs = [&](auto&& of_trial) {
    for (std::size_t r = 0; r < finished.size(); ++r) sample[r] = of_trial(*finished[r]);
    return estimate(sample);
  };
  for (std::size_t point = 0; point < trials.front()->error.size(); ++point) {
    curve.error.push_back(over_runs([point](const Trial& trial) { return trial.error[point]; }));
  }
  curve.average = over_runs([](const Trial& trial) { return mean(trial.error); });
  curve.last = curve.error.back();
  curve.findings = trials.front()->findings;
  return curve;
}

}  // namespace

ExperimentResult run(const Experiment& experiment, unsigned jobs, const Progress& progress) {
  check(experiment);
  ExperimentResult result;
  result.at = measuring_steps(experiment);
  const auto features = make_features(experiment, 0);
  result.metric =
      experiment.metric.value_or(EvaluationSet::every_state(*experiment.domain, *features).suitable_metric());

  std::vector<std::vector<Trial>> trials(experiment.runs);
  std::atomic<std::uint64_t> next{0};
  std::uint64_t done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      for (std::uint64_t r = next++; r < experiment.runs; r = next++) {
        trials[r] = run_once(experiment, result.at, result.metric, r);
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) progress(static_cast<double>(done) / static_cast<double>(experiment.runs));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
      next = experiment.runs;
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min<std::uint64_t>(jobs, experiment.runs)) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more threads; those there are do the work.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);

  for (std::size_t i = 0; i < experiment.contenders.size(); ++i) {
    std::vector<const Trial*> mine;
    for (const auto& of_run : trials) mine.push_back(&of_run[i]);
    LearningCurve curve = summarise(mine, experiment.steps);
    const Contender& contender = experiment.contenders[i];
    curve.contender = {contender.learner,
                       make_learner(contender.learner, features->dim(), contender.settings)->settings()};
    result.curves.push_back(std::move(curve));
  }
  return result;
}

bool better(const LearningCurve& a, const LearningCurve& b) {
  if (a.diverged != b.diverged) return a.diverged < b.diverged;
  return a.average.mean < b.average.mean;
}

}  // namespace bellwether
