#include <bellwether/report/study_results.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <bellwether/metrics/metric.h>

namespace bellwether {

namespace {

/// The place of a value in a list, at the end of which it is put if it is not there.
template <class T>
std::size_t place_of(std::vector<T>& list, const T& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return place;
}

/// Accelerated TD and least squares look the same in all studies; the others take the colours that are left in turn.
std::size_t colour_of(const std::string& learner, std::vector<std::string>& others) {
  if (learner == "atd") return 0;
  if (learner == "lstd") return 1;
  constexpr std::size_t left = 8;
  return 2 + place_of(others, learner) % left;
}

void give_looks(std::vector<ResultsLearner>& learners) {
  std::vector<std::string> others;
  std::map<std::size_t, std::size_t> used;
  for (ResultsLearner& learner : learners) {
    learner.colour = colour_of(learner.learner, others);
    learner.dash = used[learner.colour]++;
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
    const std::size_t place = results.learner_of[i];
    if (known[place]) continue;
    known[place] = true;
    auto& swept = results.learners[place].swept;
    for (const auto& parameter : results.settings[i].setting.record.parameters) {
      if (several.contains({place, parameter.first})) swept.push_back(parameter.first);
    }
    for (const char* own : {"alpha", "eta", "inverse_init"}) {
      if (std::find(swept.begin(), swept.end(), own) == swept.end()) continue;
      results.learners[place].own = own;
      break;
    }
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
        place_of(results.cases, ResultsCase{r.domain, r.domain_settings, r.features, r.feature_settings}));
    results.learner_of.push_back(place_of(labels, r.label));
    if (results.learners.size() < labels.size()) results.learners.push_back({r.label, r.learner, {}, {}});
  }
  give_looks(results.learners);
  find_swept(results);
  return results;
}

const std::string* value_of(const Settings& settings, const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
  return found == settings.end() ? nullptr : &found->second;
}

std::vector<std::size_t> ranked(const StudyResults& results, std::size_t of_case, const Ranking& ranking) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    if (results.case_of[i] == of_case) places.push_back(i);
  }
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return better(results.settings[a], results.settings[b], ranking.metric, ranking.by);
  });
  return places;
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

std::string title_of_metric(const std::string& metric) {
  const auto all = detail::choices<Metric>();
  const auto found = std::find(all.begin(), all.end(), metric);
  return found == all.end() ? metric : title(static_cast<Metric>(found - all.begin()));
}

}  // namespace bellwether
