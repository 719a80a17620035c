#include <bellwether/experiment/experiment.h>

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include <bellwether/core/params.h>
#include <bellwether/experiment/seed_run.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

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

/// Every contender on the steps of one run; those that can, together.
std::vector<Trial> run_once(const Protocol& protocol, const std::vector<LearningCurve>& contenders, std::uint64_t run,
                            const SeedRun::Tick& tick) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const Contender& contender = contenders[i].contender;
    groups[sharing_key(contender.learner, contender.settings)].push_back(i);
  }
  SeedRun steps(protocol, run);
  std::vector<Trial> trials(contenders.size());
  for (const auto& group : groups) {
    std::vector<Settings> members;
    for (const std::size_t i : group.second) members.push_back(contenders[i].contender.settings);
    const auto ensemble = make_ensemble(contenders[group.second.front()].contender.learner, steps.dim(), members);
    auto of_group = steps.follow(*ensemble, [&](std::uint64_t n) { tick(n * members.size()); });
    for (std::size_t m = 0; m < of_group.size(); ++m) trials[group.second[m]] = std::move(of_group[m]);
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
    if (trial->diverged_at) ++curve.diverged;
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
  result.at = measuring_steps(experiment.steps, experiment.every);
  Protocol protocol{.domain = experiment.domain,
                    .features = experiment.features,
                    .feature_settings = experiment.feature_settings,
                    .truth = &result.truth,
                    .metrics = {},
                    .bellman = experiment.bellman,
                    .truth_seed = static_cast<std::uint64_t>(experiment.evaluation.truth_seed),
                    .seed = experiment.seed,
                    .at = result.at};
  const auto features = protocol.features_of(0);
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
  protocol.metrics = result.metrics;

  std::vector<std::vector<Trial>> trials(experiment.runs);
  const double all_steps = static_cast<double>(experiment.runs) * static_cast<double>(experiment.steps) *
                           static_cast<double>(experiment.contenders.size());
  std::uint64_t done = 0;
  std::mutex mutex;
  const SeedRun::Tick tick = [&](std::uint64_t steps) {
    const std::lock_guard lock(mutex);
    done += steps;
    if (progress) progress(static_cast<double>(done) / all_steps);
  };
  parallel_for(experiment.runs, jobs, [&](std::uint64_t r) { trials[r] = run_once(protocol, result.curves, r, tick); });

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
