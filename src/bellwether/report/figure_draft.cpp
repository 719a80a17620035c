#include <bellwether/report/figure_draft.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/report/figure_rules.h>

namespace bellwether {

namespace {

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
    DraftPanel panel{panel_title(parameter, value), {}};
    for (const std::size_t s : draft.settings) {
      const bool in_all_panels = !sweeps(draft.learner(s), parameter);
      if (in_all_panels || *value_of(draft.summary(s).setting.record.parameters, parameter) == value) {
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
  const auto index = static_cast<std::size_t>(metric - study.metrics.begin());
  FigureDraft draft{reader, results, figure, of_case, index, {}, {}, {}, {}};
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

Mark FigureDraft::mark(std::size_t setting) const {
  if (!finished(setting)) return Mark::cross;
  return summary(setting).diverged > 0 ? Mark::open : Mark::filled;
}

double FigureDraft::highest_error() const {
  std::vector<double> best;
  for (const std::size_t s : best_of_learners(results, settings)) {
    if (finished(s)) best.push_back(error(s).mean);
  }
  return ceiling(error_before_learning(reader, results, of_case, metric), best);
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

void FigureDraft::note_above(double highest) {
  std::vector<std::string> labels;
  for (const std::size_t s : best_of_learners(results, settings)) {
    if (finished(s) && !(error(s).mean <= highest)) labels.push_back(learner(s).label);
  }
  note("Above the upper edge", std::move(labels));
}

std::string panel_title(const std::string& parameter, const std::string& value) {
  const auto number = number_of(value);
  const double exponent = number ? std::round(std::log10(*number)) : 0;
  const bool large_power = exponent >= 5 && *number == std::pow(10, exponent);
  return fmt::format("{} = {}", parameter, large_power ? fmt::format("1e{:.0f}", exponent) : value);
}

ValueScale scale_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const auto& value : values) {
    if (const auto number = number_of(value)) numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() < values.size()) return ValueScale::named;
  return suits_log(numbers) ? ValueScale::log : ValueScale::linear;
}

}  // namespace bellwether
