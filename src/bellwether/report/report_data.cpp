#include <bellwether/report/report_data.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include <bellwether/core/version.h>

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

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? digits[three >> (18U - 6U * static_cast<unsigned>(k)) & 63U] : '=';
    }
  }
  return text;
}

void append(std::string& bytes, double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 255U);
}

/// The curves of a setting, of every metric; nothing when no run finished.
std::string curves_of(const StoreReader& reader, std::int64_t setting, const std::vector<std::string>& metrics) {
  std::string bytes;
  for (const std::string& metric : metrics) {
    const auto curve = reader.curve(setting, metric);
    for (const CurvePoint& point : curve) append(bytes, point.mean);
    for (const CurvePoint& point : curve) append(bytes, point.half_width());
  }
  return bytes;
}

/// The places of settings that are the best of their learner in their case by some metric; in a study whose figures of
/// curves have panels, also among those of each panel.
std::set<std::size_t> best_by_any_metric(const StudyResults& results) {
  std::set<std::size_t> best;
  const auto add = [&](const std::vector<std::size_t>& ranking) {
    const auto places = best_of_learners(results, ranking);
    best.insert(places.begin(), places.end());
  };
  for (std::size_t c = 0; c < results.cases.size(); ++c) {
    for (std::size_t metric = 0; metric < results.study.record.metrics.size(); ++metric) {
      for (const auto by : {&Summary::average, &Summary::last}) {
        const auto ranking = ranked(results, c, {metric, by});
        add(ranking);
        for (const Figure& figure : results.figures) {
          if (figure.shows != Shows::curves || figure.panels.empty()) continue;
          std::map<std::string, std::vector<std::size_t>> panels;
          for (const std::size_t i : ranking) {
            const std::string* value = value_of(results.settings[i].setting.record.parameters, figure.panels);
            if (value != nullptr) panels[*value].push_back(i);
          }
          for (const auto& panel : panels) add(panel.second);
        }
      }
    }
  }
  return best;
}

Json learners_json(const StudyResults& results) {
  Json all = Json::array();
  for (std::size_t place = 0; place < results.learners.size(); ++place) {
    const ResultsLearner& learner = results.learners[place];
    const auto first = std::find(results.learner_of.begin(), results.learner_of.end(), place);
    Settings fixed =
        results.settings[static_cast<std::size_t>(first - results.learner_of.begin())].setting.record.parameters;
    std::erase_if(fixed, [&](const auto& parameter) {
      return std::find(learner.swept.begin(), learner.swept.end(), parameter.first) != learner.swept.end();
    });
    all.push_back({{"label", learner.label},
                   {"learner", learner.learner},
                   {"swept", learner.swept},
                   {"own", learner.own.empty() ? Json(nullptr) : Json(learner.own)},
                   {"fixed", json_object(fixed)},
                   {"colour", learner.colour},
                   {"dash", learner.dash}});
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

Json values_of(const ResultsLearner& learner, const Settings& parameters) {
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
    columns["values"].push_back(values_of(results.learners[results.learner_of[i]], summary.setting.record.parameters));
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

Json study_json(const ReportStudy& of, CurvesKept kept) {
  const StudyResults& results = of.results;
  const StudyRecord& record = results.study.record;
  Json metrics = Json::array();
  for (const std::string& metric : record.metrics) {
    metrics.push_back({{"name", metric}, {"title", title_of_metric(metric)}});
  }
  Json cases = Json::array();
  for (const ResultsCase& c : results.cases) cases.push_back(text_of(c));

  Json settings = settings_json(results);
  const std::set<std::size_t> best = kept == CurvesKept::best ? best_by_any_metric(results) : std::set<std::size_t>();
  Json place = Json::array();
  std::string curves;
  std::size_t count = 0;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const bool wanted = kept == CurvesKept::all || best.contains(i);
    const std::string bytes =
        wanted ? curves_of(*of.reader, results.settings[i].setting.id, record.metrics) : std::string();
    place.push_back(bytes.empty() ? Json(nullptr) : Json(count++));
    curves += bytes;
  }
  settings["curve"] = std::move(place);

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
          {"figures", figures_json(results)},
          {"settings", std::move(settings)},
          {"curves", base64(curves)}};
}

}  // namespace

std::string report_data(const std::vector<ReportStudy>& studies, CurvesKept curves) {
  Json all = Json::array();
  for (const ReportStudy& study : studies) all.push_back(study_json(study, curves));
  const Json data{{"version", version()}, {"studies", std::move(all)}};
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') safe += "\\u003c";
    else safe += c;
  }
  return safe;
}

}  // namespace bellwether
