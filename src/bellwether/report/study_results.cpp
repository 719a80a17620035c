#include <bellwether/report/study_results.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>

#include <bellwether/metrics/metric.h>
#include <bellwether/report/plot/palette.h>

namespace bellwether {

namespace {

/// The index of a value in a list, which it is appended to if it is not there.
template <class T>
std::size_t index_in(std::vector<T>& list, const T& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return index;
}

/// Learners with a colour of their own have it in all studies; the others share the colours that are left, in turn.
void choose_looks(std::vector<ResultsLearner>& learners) {
  std::vector<std::string> with_own(own_colours.begin(), own_colours.end());
  std::vector<std::string> others;
  std::map<std::size_t, std::size_t> labels_of_colour;
  for (ResultsLearner& learner : learners) {
    const auto own = std::find(with_own.begin(), with_own.end(), learner.learner);
    learner.colour = own != with_own.end()
                         ? static_cast<std::size_t>(own - with_own.begin())
                         : with_own.size() + index_in(others, learner.learner) % (palette.size() - with_own.size());
    learner.dash = labels_of_colour[learner.colour]++;
  }
}

/// The parameters that take several values among the settings of each learner, in the order of its parameters.
void find_swept(StudyResults& results) {
  std::map<std::pair<std::size_t, std::string>, std::string> first;
  std::set<std::pair<std::size_t, std::string>> several;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    for (const auto& [name, value] : results.settings[i].setting.record.parameters) {
      const std::pair key{results.learner_of[i], name};
      if (first.try_emplace(key, value).first->second != value) several.insert(key);
    }
  }
  std::vector<bool> known(results.learners.size());
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const std::size_t l = results.learner_of[i];
    if (known[l]) continue;
    known[l] = true;
    ResultsLearner& learner = results.learners[l];
    for (const auto& parameter : results.settings[i].setting.record.parameters) {
      if (several.contains({l, parameter.first})) learner.swept.push_back(parameter.first);
    }
    const auto& own = own_parameters();
    const auto first_own =
        std::find_if(own.begin(), own.end(), [&](const auto& name) { return sweeps(learner, name); });
    if (first_own != own.end()) learner.own = *first_own;
  }
}

}  // namespace

std::string text_of(const ResultsCase& c) {
  const auto& [domain, domain_settings, features, feature_settings] = c;
  const auto with = [](const Settings& settings) {
    return settings.empty() ? std::string() : fmt::format(" ({})", text_of(settings));
  };
  return fmt::format("{}{}, {}{}", domain, with(domain_settings),
                     features.empty() ? "its own features" : fmt::format("features {}", features),
                     with(feature_settings));
}

StudyResults study_results(const StoreReader& reader, const StoredStudy& study) {
  StudyResults results;
  results.study = study;
  StudyText text = study_text(study.record.source, study.record.scale);
  results.about = std::move(text.about);
  results.figures = std::move(text.figures);
  results.settings = reader.summarise(study);
  std::vector<std::string> labels;
  for (const Summary& summary : results.settings) {
    const SettingRecord& r = summary.setting.record;
    results.case_of.push_back(
        index_in(results.cases, ResultsCase{r.domain, r.domain_settings, r.features, r.feature_settings}));
    results.learner_of.push_back(index_in(labels, r.label));
    if (results.learners.size() < labels.size()) results.learners.push_back({r.label, r.learner, {}, {}});
  }
  choose_looks(results.learners);
  find_swept(results);
  return results;
}

const std::string* value_of(const Settings& settings, const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
  return found == settings.end() ? nullptr : &found->second;
}

bool sweeps(const ResultsLearner& learner, const std::string& parameter) {
  return std::find(learner.swept.begin(), learner.swept.end(), parameter) != learner.swept.end();
}

std::vector<std::string> values_of(const StudyResults& results, std::vector<std::size_t> settings,
                                   const std::string& parameter) {
  std::sort(settings.begin(), settings.end());  // the order of the study
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const std::size_t s : settings) {
    if (!sweeps(results.learners[results.learner_of[s]], parameter)) continue;
    const std::string* value = value_of(results.settings[s].setting.record.parameters, parameter);
    if (value != nullptr && seen.insert(*value).second) values.push_back(*value);
  }
  const auto order = [](const std::string& value) { return number_of(value).value_or(infinity); };
  std::stable_sort(values.begin(), values.end(), [&](const auto& x, const auto& y) { return order(x) < order(y); });
  return values;
}

std::optional<double> number_of(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || end != value.c_str() + value.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<std::size_t> ranked(const StudyResults& results, std::size_t of_case, const Ranking& ranking) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    if (results.case_of[i] == of_case) order.push_back(i);
  }
  const bool larger = larger_is_better(results.study.record.metrics[ranking.metric]);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return better(results.settings[a], results.settings[b], ranking.metric, ranking.by, larger);
  });
  return order;
}

std::vector<std::size_t> best_of_learners(const StudyResults& results, std::vector<std::size_t> ranked) {
  std::vector<bool> seen(results.learners.size());
  std::erase_if(ranked, [&](std::size_t i) {
    const bool again = seen[results.learner_of[i]];
    seen[results.learner_of[i]] = true;
    return again;
  });
  return ranked;
}

double error_before_learning(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                             std::size_t metric) {
  const StudyRecord& study = results.study.record;
  const auto order = ranked(results, of_case, {metric, &Summary::average});
  if (order.empty() || study.at.empty() || study.at.front() != 0 || larger_is_better(study.metrics[metric])) {
    return infinity;
  }
  const auto curve = reader.curve(results.settings[order.front()].setting.id, study.metrics[metric]);
  if (curve.empty() || !(curve.front().mean > 0)) return infinity;
  return curve.front().mean;
}

}  // namespace bellwether
