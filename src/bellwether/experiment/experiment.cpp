#include <bellwether/experiment/experiment.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include <bellwether/experiment/stream.h>
#include <bellwether/features/all.h>
#include <bellwether/features/support/description.h>
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
                          static_cast<double>(experiment.runs) * static_cast<double>(experiment.contenders.size()) *
                          static_cast<double>(std::max<std::size_t>(experiment.metrics.size(), 1));
  if (measured > most) {
    throw InvalidArgument(
        fmt::format("run: steps / every * runs * learners * metrics = {:.3g} is outside [1, {}]", measured, most));
  }
  for (std::size_t i = 0; i < experiment.metrics.size(); ++i) {
    const auto end = experiment.metrics.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(experiment.metrics.begin(), end, experiment.metrics[i]) != end) {
      throw InvalidArgument(fmt::format("run: metric {} is asked for twice", detail::format(experiment.metrics[i])));
    }
  }
}

std::shared_ptr<const FeatureMap> features_of(const Experiment& experiment, std::uint64_t run) {
  return make_features(experiment.features, *experiment.domain, experiment.seed, run, experiment.feature_settings);
}

/// The domain's initial weights are for the features that come with it.
bool own_features(const Experiment& experiment) {
  if (experiment.features.empty()) return true;
  const auto parts = parse_description(experiment.features);
  return parts.size() == 1 && parts.front().name == "own";
}

std::vector<std::uint64_t> measuring_steps(const Experiment& experiment) {
  std::vector<std::uint64_t> at;
  for (std::uint64_t t = 0; t < experiment.steps; t += experiment.every) at.push_back(t);
  at.push_back(experiment.steps);
  return at;
}

/// One contender in one run.
struct Trial {
  std::vector<std::vector<double>> metrics;  // of each metric, its values along the run
  bool diverged = false;
  double seconds = 0;
  Settings findings;
};

/// Whether true values are asked for.
bool needs_truth(const std::vector<Metric>& metrics) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(), [](Metric metric) {
           return metric == Metric::relative || metric == Metric::rmse;
         });
}

/// Told of every piece of work: how many steps of a run were done.
using Tick = std::function<void(std::uint64_t steps)>;

/// Every contender on the steps of one run.
std::vector<Trial> run_once(const Experiment& experiment, const ExperimentResult& plan, std::uint64_t run,
                            const Tick& tick) {
  const auto features = features_of(experiment, run);
  Measures maker(*experiment.domain, *features, plan.truth, experiment.bellman,
                 static_cast<std::uint64_t>(experiment.evaluation.truth_seed), run);
  std::vector<std::unique_ptr<Measure>> measures;
  for (const Metric metric : plan.metrics) measures.push_back(maker.make(metric));
  const std::vector<double> initial = experiment.domain->initial_weights();

  std::vector<std::unique_ptr<Learner>> contenders;
  for (const Contender& contender : experiment.contenders) {
    contenders.push_back(make_learner(contender.learner, features->dim(), contender.settings));
    if (initial.size() == features->dim() && own_features(experiment)) contenders.back()->start_from(initial);
  }

  std::vector<Trial> trials(contenders.size());
  for (Trial& trial : trials) trial.metrics.resize(measures.size());
  Stream stream(*experiment.domain, features, experiment.seed, run);
  std::uint64_t t = 0;
  for (const std::uint64_t until : plan.at) {
    while (t < until) {
      constexpr std::uint64_t batch_size = 4096;  // so that memory does not grow with the distance of measurements
      const Batch batch = stream.next(std::min(batch_size, until - t));
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        const auto begin = Clock::now();
        contenders[i]->learn(batch);
        trials[i].seconds += std::chrono::duration<double>(Clock::now() - begin).count();
      }
      for (const auto& measure : measures) measure->observe(batch);
      t += batch.size;
      tick(batch.size);
    }
    for (std::size_t m = 0; m < measures.size(); ++m) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        trials[i].metrics[m].push_back((*measures[m])(*contenders[i]));
      }
    }
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
  for (std::size_t m = 0; m < trials.front()->metrics.size(); ++m) {
    Course course;
    for (std::size_t point = 0; point < trials.front()->metrics[m].size(); ++point) {
      course.at.push_back(over_runs([&](const Trial& trial) { return trial.metrics[m][point]; }));
    }
    course.average = over_runs([&](const Trial& trial) { return mean(trial.metrics[m]); });
    course.last = course.at.back();
    curve.courses.push_back(std::move(course));
  }
  curve.findings = trials.front()->findings;
  return curve;
}

}  // namespace

ExperimentResult run(const Experiment& experiment, unsigned jobs, const Progress& progress,
                     const Progress& finding_truth) {
  check(experiment);
  ExperimentResult result;
  result.at = measuring_steps(experiment);
  const auto features = features_of(experiment, 0);
  result.dim = features->dim();
  result.max_active = features->max_active();
  for (const Contender& contender : experiment.contenders) {  // before the work, so that mistakes are told at once
    const auto learner = make_learner(contender.learner, features->dim(), contender.settings);
    result.curves.emplace_back().contender = {contender.learner, learner->settings()};
  }
  result.metrics = experiment.metrics;
  for (const Metric metric : result.metrics) {
    check_metric(metric, *experiment.domain, result.dim, experiment.bellman);
  }
  if (needs_truth(result.metrics)) {
    result.truth = ground_truth(*experiment.domain, experiment.evaluation, jobs, experiment.cache, finding_truth);
  }
  if (result.metrics.empty()) {
    const bool relative = result.truth.evaluation_set(*features).suitable_error() == ValueError::relative;
    result.metrics = {relative ? Metric::relative : Metric::rmse};
  }

  std::vector<std::vector<Trial>> trials(experiment.runs);
  const double all_steps = static_cast<double>(experiment.runs) * static_cast<double>(experiment.steps);
  std::uint64_t done = 0;
  std::mutex mutex;
  const Tick tick = [&](std::uint64_t steps) {
    const std::lock_guard lock(mutex);
    done += steps;
    if (progress) progress(static_cast<double>(done) / all_steps);
  };
  parallel_for(experiment.runs, jobs, [&](std::uint64_t r) { trials[r] = run_once(experiment, result, r, tick); });

  for (std::size_t i = 0; i < experiment.contenders.size(); ++i) {
    std::vector<const Trial*> mine;
    for (const auto& of_run : trials) mine.push_back(&of_run[i]);
    LearningCurve curve = summarise(mine, experiment.steps);
    curve.contender = std::move(result.curves[i].contender);
    result.curves[i] = std::move(curve);
  }
  return result;
}

bool better(const LearningCurve& a, const LearningCurve& b) {
  if (a.diverged != b.diverged) return a.diverged < b.diverged;
  return a.courses.front().average.mean < b.courses.front().average.mean;
}

}  // namespace bellwether
