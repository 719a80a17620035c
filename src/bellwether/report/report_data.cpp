#include <bellwether/report/report_data.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/version.h>
#include <bellwether/report/figure_draft.h>
#include <bellwether/report/plot/palette.h>

namespace bellwether {

namespace {

using Json = nlohmann::ordered_json;

Json json_object(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [key, value] : settings) object[key] = value;
  return object;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json learners_json(const StudyResults& results) {
  Json all = Json::array();
  for (std::size_t l = 0; l < results.learners.size(); ++l) {
    const ResultsLearner& learner = results.learners[l];
    const auto first = std::find(results.learner_of.begin(), results.learner_of.end(), l);
    Settings fixed =
        results.settings[static_cast<std::size_t>(first - results.learner_of.begin())].setting.record.parameters;
    std::erase_if(fixed, [&](const auto& parameter) { return sweeps(learner, parameter.first); });
    all.push_back({{"label", learner.label},
                   {"learner", learner.learner},
                   {"swept", learner.swept},
                   {"own", learner.own.empty() ? Json(nullptr) : Json(learner.own)},
                   {"fixed", json_object(fixed)},
                   {"colour", learner.colour},
                   {"dash", palette_dash(learner.dash)},
                   {"shape", learner.dash}});
  }
  return all;
}

Json parameters_json(const StudyResults& results) {
  std::vector<std::size_t> settings(results.settings.size());
  std::iota(settings.begin(), settings.end(), std::size_t{0});
  Json all = Json::array();
  std::set<std::string> seen;
  for (const ResultsLearner& learner : results.learners) {
    for (const std::string& name : learner.swept) {
      if (!seen.insert(name).second) continue;
      const std::vector<std::string> values = values_of(results, settings, name);
      Json titles = Json::array();
      for (const std::string& value : values) titles.push_back(panel_title(name, value));
      all.push_back({{"name", name},
                     {"values", values},
                     {"titles", std::move(titles)},
                     {"scale", detail::format(scale_of(values))}});
    }
  }
  return all;
}

Json figures_json(const StudyResults& results) {
  Json all = Json::array();
  for (const Figure& figure : results.figures) {
    all.push_back({{"title", figure.title},
                   {"shows", detail::format(figure.shows)},
                   {"learners", figure.learners},
                   {"x", figure.x},
                   {"panels", figure.panels},
                   {"at", json_object(figure.at)},
                   {"metric", figure.metric.empty() ? results.study.record.metrics.front() : figure.metric},
                   {"y", detail::format(figure.y)}});
  }
  return all;
}

Json swept_values(const ResultsLearner& learner, const Settings& parameters) {
  Json values = Json::array();
  for (const std::string& name : learner.swept) {
    const std::string* value = value_of(parameters, name);
    values.push_back(value != nullptr ? Json(*value) : Json(nullptr));
  }
  return values;
}

Json settings_json(const StudyResults& results) {
  Json columns = {{"id", Json::array()},       {"case", results.case_of},       {"learner", results.learner_of},
                  {"values", Json::array()},   {"dim", Json::array()},          {"runs", Json::array()},
                  {"diverged", Json::array()}, {"microseconds", Json::array()}, {"bytes", Json::array()}};
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const Summary& summary = results.settings[i];
    columns["id"].push_back(summary.setting.id);
    columns["values"].push_back(
        swept_values(results.learners[results.learner_of[i]], summary.setting.record.parameters));
    columns["dim"].push_back(summary.setting.record.dim);
    columns["runs"].push_back(summary.runs);
    columns["diverged"].push_back(summary.diverged);
    columns["microseconds"].push_back(or_null(summary.setting.microseconds));
    columns["bytes"].push_back(or_null(summary.setting.bytes));
  }
  const auto estimates = [&](const std::string& name, std::vector<Estimate> Summary::*of) {
    Json means = Json::array();
    Json half_widths = Json::array();
    for (std::size_t metric = 0; metric < results.study.record.metrics.size(); ++metric) {
      Json mean = Json::array();
      Json half = Json::array();
      for (const Summary& summary : results.settings) {
        const Estimate& e = (summary.*of)[metric];
        mean.push_back(e.runs > 0 && std::isfinite(e.mean) ? Json(e.mean) : Json(nullptr));
        half.push_back(e.runs > 1 && std::isfinite(e.half_width) ? Json(e.half_width) : Json(nullptr));
      }
      means.push_back(std::move(mean));
      half_widths.push_back(std::move(half));
    }
    columns[name] = std::move(means);
    columns[name + "_half_width"] = std::move(half_widths);
  };
  estimates("average", &Summary::average);
  estimates("last", &Summary::last);
  return columns;
}

/// For each metric a list with f(metric, case) for each case.
template <class F>
Json for_metrics_and_cases(const StudyResults& results, F&& f) {
  Json all = Json::array();
  for (std::size_t metric = 0; metric < results.study.record.metrics.size(); ++metric) {
    Json cases = Json::array();
    for (std::size_t c = 0; c < results.cases.size(); ++c) cases.push_back(f(metric, c));
    all.push_back(std::move(cases));
  }
  return all;
}

Json rankings_json(const StudyResults& results) {
  const auto by = [&](std::vector<Estimate> Summary::*estimates) {
    return for_metrics_and_cases(results, [&](std::size_t metric, std::size_t c) {
      return ranked(results, c, {metric, estimates});
    });
  };
  return {{"average", by(&Summary::average)}, {"last", by(&Summary::last)}};
}

Json study_json(const ReportStudy& of, CurvesKept kept) {
  const StudyResults& results = of.results;
  const StudyRecord& record = results.study.record;
  Json metrics = Json::array();
  for (const std::string& metric : record.metrics) {
    metrics.push_back({{"name", metric}, {"title", title_of_metric(metric)}});
    if (larger_is_better(metric)) metrics.back()["larger_is_better"] = true;
  }
  Json cases = Json::array();
  for (const ResultsCase& c : results.cases) cases.push_back(text_of(c));

  Json settings = settings_json(results);
  const ReportCurves curves = report_curves(*of.reader, results, kept);
  settings["curve"] = Json::array();
  for (const auto& index : curves.index) settings["curve"].push_back(or_null(index));
  Json before_learning = for_metrics_and_cases(results, [&](std::size_t metric, std::size_t c) {
    const double error = error_before_learning(*of.reader, results, c, metric);
    return std::isfinite(error) ? Json(error) : Json(nullptr);
  });

  return {{"file", of.file},
          {"name", record.name},
          {"scale", record.scale},
          {"title", record.title.empty() ? record.name : record.title},
          {"about", results.about},
          {"created", results.study.created},
          {"version", record.version},
          {"machine", record.machine},
          {"command", record.command},
          {"source", record.source},
          {"protocol", json_object(record.protocol)},
          {"seeds", record.seeds},
          {"metrics", std::move(metrics)},
          {"at", record.at},
          {"cases", std::move(cases)},
          {"learners", learners_json(results)},
          {"parameters", parameters_json(results)},
          {"figures", figures_json(results)},
          {"settings", std::move(settings)},
          {"curves", curves.base64},
          {"rankings", rankings_json(results)},
          {"before_learning", std::move(before_learning)},
          {"exploding", curves.exploding}};
}

}  // namespace

std::string report_data(const std::vector<ReportStudy>& studies, CurvesKept curves) {
  Json all = Json::array();
  for (const ReportStudy& study : studies) all.push_back(study_json(study, curves));
  const Json data{{"version", version()}, {"studies", std::move(all)}};
  return json_text(data);
}

}  // namespace bellwether
