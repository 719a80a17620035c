#include <bellwether/report/figure_draft.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace bellwether {

namespace {

/// 1e6 instead of 1000000
std::string short_text(const std::string& value) {
  const auto number = number_of(value);
  const double exponent = number ? std::round(std::log10(*number)) : 0;
  return exponent >= 5 && *number == std::pow(10, exponent) ? fmt::format("1e{:.0f}", exponent) : value;
}

bool is_shown(const Figure& figure, const ResultsLearner& learner, const Settings& parameters) {
  const auto& labels = figure.learners;
  if (!labels.empty() && std::find(labels.begin(), labels.end(), learner.label) == labels.end()) return false;
  return figure.shows != Shows::sensitivity || std::all_of(figure.at.begin(), figure.at.end(), [&](const auto& at) {
           const std::string* value = value_of(parameters, at.first);
           return !sweeps(learner, at.first) || value == nullptr || *value == at.second;
         });
}

std::vector<DraftPanel> panels_of(const FigureDraft& draft) {
  const std::string& parameter = draft.figure.panels;
  const auto values =
      parameter.empty() ? std::vector<std::string>{} : values_of(draft.results, draft.settings, parameter);
  if (values.empty()) return {{"", draft.settings}};
  std::vector<DraftPanel> panels;
  for (const std::string& value : values) {
    DraftPanel panel{fmt::format("{} = {}", parameter, short_text(value)), {}};
    for (const std::size_t s : draft.settings) {
      const bool everywhere = !sweeps(draft.learner(s), parameter);
      if (everywhere || *value_of(draft.summary(s).setting.record.parameters, parameter) == value) {
        panel.settings.push_back(s);
      }
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace

std::optional<FigureDraft> figure_draft(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                                        const Figure& figure) {
  const StudyRecord& study = results.study.record;
  const auto metric = figure.metric.empty() ? study.metrics.begin()
                                            : std::find(study.metrics.begin(), study.metrics.end(), figure.metric);
  if (metric == study.metrics.end()) return std::nullopt;
  FigureDraft draft{reader, results, figure, static_cast<std::size_t>(metric - study.metrics.begin()), {}, {}, {}, {}};
  for (const std::size_t s : ranked(results, of_case, {draft.metric, &Summary::average})) {
    const Summary& summary = draft.summary(s);
    if (summary.runs > 0 && is_shown(figure, draft.learner(s), summary.setting.record.parameters)) {
      draft.settings.push_back(s);
    }
  }
  const auto finished = [&](std::size_t s) { return draft.finished(s); };
  if (std::none_of(draft.settings.begin(), draft.settings.end(), finished)) return std::nullopt;

  draft.panels = panels_of(draft);
  draft.key_of.resize(results.learners.size());
  for (const std::size_t s : best_of_learners(results, draft.settings)) {
    const ResultsLearner& learner = draft.learner(s);
    draft.key_of[results.learner_of[s]] = draft.plot.keys.size();
    draft.plot.keys.push_back({{learner.label}, learner.colour, learner.dash, Drawn::curve});
  }
  Plot& plot = draft.plot;
  plot.title = figure.title;
  plot.subtitle = fmt::format("{} ({}): {}; {} runs", study.title.empty() ? study.name : study.title, study.scale,
                              text_of(results.cases[of_case]), study.seeds);
  plot.y_label = title_of_metric(*metric);
  if (draft.panels.size() > 1) plot.panel_width = std::max(140.0, 600 / static_cast<double>(draft.panels.size()));
  return draft;
}

double FigureDraft::ceiling() const {
  const auto curve = reader.curve(summary(settings.front()).setting.id, results.study.record.metrics[metric]);
  if (curve.empty() || results.study.record.at.front() != 0 || !(curve.front().mean > 0)) return infinity;
  const double at_first = curve.front().mean;
  double highest = std::max(2 * at_first, error(settings.front()).mean);
  for (const std::size_t s : best_of_learners(results, settings)) {
    if (finished(s) && error(s).mean <= far_off * at_first) highest = std::max(highest, error(s).mean);
  }
  return highest;
}

PlotAxis FigureDraft::error_axis(std::vector<double> errors) const {
  const bool log = figure.y == Axis::log;
  std::erase_if(errors, [&](double e) { return !std::isfinite(e) || (log && e <= 0); });
  if (errors.empty()) errors = {1};
  const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
  constexpr std::size_t labels = 8;
  const double margin = std::max(1.05, std::pow(*high / *low, 0.04));
  if (log) return log_axis(*low / margin, *high * margin, labels);
  return linear_axis(std::min(0.0, *low), 1.05 * *high, labels);
}

void FigureDraft::note(const std::string& why, std::vector<std::string> labels) {
  std::vector<std::string> each;
  for (std::string& label : labels) {
    if (std::find(each.begin(), each.end(), label) == each.end()) each.push_back(std::move(label));
  }
  if (!each.empty()) plot.notes.push_back(fmt::format("{}: {}.", why, detail::join(each, ", ")));
}

void FigureDraft::note_above(double ceiling) {
  std::vector<std::string> labels;
  for (const std::size_t s : best_of_learners(results, settings)) {
    if (finished(s) && !(error(s).mean <= ceiling)) labels.push_back(learner(s).label);
  }
  note("Above the upper edge", std::move(labels));
}

std::optional<double> number_of(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || end != value.c_str() + value.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<std::string> values_of(const StudyResults& results, const std::vector<std::size_t>& settings,
                                   const std::string& parameter) {
  // In the order of the study, not of the ranks.
  std::vector<std::size_t> by_place = settings;
  std::sort(by_place.begin(), by_place.end());
  std::vector<std::string> values;
  for (const std::size_t s : by_place) {
    if (!sweeps(results.learners[results.learner_of[s]], parameter)) continue;
    const std::string* value = value_of(results.settings[s].setting.record.parameters, parameter);
    if (value && std::find(values.begin(), values.end(), *value) == values.end()) values.push_back(*value);
  }
  const auto order = [](const std::string& value) { return number_of(value).value_or(infinity); };
  std::stable_sort(values.begin(), values.end(), [&](const auto& x, const auto& y) { return order(x) < order(y); });
  return values;
}

bool sweeps(const ResultsLearner& learner, const std::string& parameter) {
  return std::find(learner.swept.begin(), learner.swept.end(), parameter) != learner.swept.end();
}

}  // namespace bellwether
