#include <bellwether/experiment/prepared_study.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>
#include <bellwether/domains/domains.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

namespace {

void check(const Study& study) {
  const auto require = [](const char* what, std::int64_t value) {
    if (value < 1) throw InvalidArgument(fmt::format("run: {} = {} is outside [1, inf)", what, value));
  };
  require("steps", study.run.steps);
  require("every", study.run.every);
  require("seeds", study.run.seeds);
  constexpr std::int64_t most_points = 100'000'000;
  const std::int64_t points = study.run.steps / study.run.every;
  if (points > most_points) {
    throw InvalidArgument(fmt::format("run: steps / every = {} measurements are outside [1, {}]", points, most_points));
  }
  if (study.cases.empty()) throw InvalidArgument("run: there is no domain to run on");
  if (study.settings.empty()) throw InvalidArgument("run: there is no learner to run");
  for (auto metric = study.metrics.begin(); metric != study.metrics.end(); ++metric) {
    if (std::find(study.metrics.begin(), metric, *metric) == metric) continue;
    throw InvalidArgument(fmt::format("run: metric {} is asked for twice", detail::format(*metric)));
  }
}

}  // namespace

PreparedStudy::PreparedStudy(Study study, const Preparation& how) : study_(std::move(study)), metrics_(study_.metrics) {
  check(study_);
  at_ = measuring_steps(static_cast<std::uint64_t>(study_.run.steps), static_cast<std::uint64_t>(study_.run.every));
  for (const StudyCase& of : study_.cases) cases_.push_back(prepared(of, how));
  if (metrics_.empty()) {
    const bool relative = std::all_of(cases_.begin(), cases_.end(), [](const auto& one) {
      return one->truth.evaluation_set(*one->protocol.features_of(0)).suitable_error() == ValueError::relative;
    });
    metrics_ = {relative ? Metric::relative : Metric::rmse};
  }
  for (const auto& one : cases_) one->protocol.metrics = metrics_;
}

std::unique_ptr<PreparedStudy::Case> PreparedStudy::prepared(const StudyCase& of, const Preparation& how) const {
  check_stopped(how.stopped);
  auto result = std::make_unique<Case>();
  result->domain = of.made ? of.made : make_domain(of.domain, of.domain_settings);
  result->protocol = {.domain = result->domain.get(),
                      .features = of.features,
                      .feature_settings = of.feature_settings,
                      .truth = &result->truth,
                      .metrics = {},
                      .bellman = study_.bellman,
                      .truth_seed = static_cast<std::uint64_t>(study_.evaluation.truth_seed),
                      .seed = static_cast<std::uint64_t>(study_.run.seed),
                      .at = at_};
  const auto features = result->protocol.features_of(0);
  result->dim = features->dim();
  result->max_active = features->max_active();
  for (const Metric metric : metrics_) check_metric(metric, *result->domain, result->dim, study_.bellman);
  if (needs_truth(metrics_)) {
    const auto told = [&](double share) {
      check_stopped(how.stopped);
      if (how.finding_truth) how.finding_truth(share);
    };
    result->truth = ground_truth(*result->domain, study_.evaluation, how.jobs, how.cache, told);
  }
  return result;
}

std::vector<std::string> PreparedStudy::metric_names() const {
  std::vector<std::string> names;
  for (const Metric metric : metrics_) names.push_back(detail::format(metric));
  return names;
}

}  // namespace bellwether
