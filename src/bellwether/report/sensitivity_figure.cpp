#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <bellwether/report/figure_draft.h>

namespace bellwether {

namespace {

/// The position on the axis of each value of a parameter.
using Positions = std::map<std::string, double>;

/// The parameter on the axis: each learner's own, or one that has the same name for all.
struct Varied {
  explicit Varied(const FigureDraft& draft) : own(draft.figure.x.empty() || draft.figure.x == "own") {
    if (own) vary_own(draft);
    else vary(draft, draft.figure.x);
  }

  bool own;
  PlotAxis axis;
  std::string label;
  std::vector<std::string> parameter;  // of every learner of the study; empty: it sweeps none
  std::vector<Positions> positions;    // of every learner of the study

 private:
  void vary_own(const FigureDraft& draft);
  void vary(const FigureDraft& draft, const std::string& name);
};

/// The values of each learner are evenly spaced, from its smallest to its largest.
void Varied::vary_own(const FigureDraft& draft) {
  const auto& learners = draft.results.learners;
  parameter.resize(learners.size());
  positions.resize(learners.size());
  std::vector<std::string> names;
  for (std::size_t l = 0; l < learners.size(); ++l) {
    std::vector<std::size_t> settings = draft.settings;
    std::erase_if(settings, [&](std::size_t s) { return draft.results.learner_of[s] != l; });
    if (learners[l].own.empty() || settings.empty()) continue;
    parameter[l] = learners[l].own;
    if (std::find(names.begin(), names.end(), parameter[l]) == names.end()) names.push_back(parameter[l]);
    const auto values = values_of(draft.results, settings, parameter[l]);
    const auto last = static_cast<double>(values.size() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      positions[l][values[i]] = values.size() == 1 ? 0.5 : static_cast<double>(i) / last;
    }
  }
  label = fmt::format("each learner's own parameter: {}", detail::join(names, ", "));
  axis = {Axis::linear, -0.03, 1.03, {{0, "smallest", ""}, {1, "largest", ""}}};
}

void Varied::vary(const FigureDraft& draft, const std::string& name) {
  const auto& learners = draft.results.learners;
  label = name;
  const auto values = values_of(draft.results, draft.settings, name);
  const ValueScale scale = scale_of(values);
  const auto labels = static_cast<std::size_t>(draft.plot.panel_width / 55);
  Positions all;
  if (scale == ValueScale::named) {
    axis = named_axis(values);
    for (std::size_t i = 0; i < values.size(); ++i) all[values[i]] = static_cast<double>(i);
  } else {
    const double low = *number_of(values.front());
    const double high = *number_of(values.back());
    const double margin = 0.03 * (high - low);
    const double factor = std::pow(high / low, 0.03);
    axis = scale == ValueScale::log ? log_axis(low / factor, high * factor, labels)
                                    : linear_axis(low - margin, high + margin, labels);
    for (const std::string& value : values) all[value] = *number_of(value);
  }
  for (const ResultsLearner& learner : learners) {
    parameter.push_back(sweeps(learner, name) ? name : "");
    positions.push_back(all);
  }
}

/// The best setting of a learner at each value of its parameter; `settings` are those of the learner, best first.
PlotSeries series_of(const FigureDraft& draft, const Varied& varied, const std::vector<std::size_t>& settings) {
  const std::size_t learner = draft.results.learner_of[settings.front()];
  PlotSeries series{draft.key_of[learner], Drawn::values, {}};
  const auto point = [&](std::size_t s, double x) {
    return PlotPoint{x, draft.error(s).mean, draft.error(s).half_width, draft.mark(s)};
  };
  if (varied.parameter[learner].empty()) {
    series.drawn = Drawn::level;
    if (draft.finished(settings.front())) series.points.push_back(point(settings.front(), 0));
    for (PlotPoint& p : series.points) p.mark = Mark::none;
    return series;
  }
  std::map<double, std::size_t> best;
  for (const std::size_t s : settings) {
    const auto& value = *value_of(draft.summary(s).setting.record.parameters, varied.parameter[learner]);
    best.try_emplace(varied.positions[learner].at(value), s);
  }
  for (const auto& [x, s] : best) series.points.push_back(point(s, x));
  return series;
}

void explain_marks(Plot& plot, double highest) {
  bool open = false;
  bool cross = false;
  for (const auto& panel : plot.panels) {
    for (const auto& series : panel.series) {
      for (const auto& p : series.points) {
        open |= p.mark == Mark::open && p.y <= highest;
        cross |= p.mark == Mark::cross;
      }
    }
  }
  if (open && cross) plot.notes.emplace_back("Open marks: some runs diverged. Crosses: all did.");
  else if (open) plot.notes.emplace_back("Open marks: some runs diverged.");
  else if (cross) plot.notes.emplace_back("Crosses: all runs diverged.");
}

}  // namespace

void draw_sensitivity(FigureDraft& draft) {
  Plot& plot = draft.plot;
  const Varied varied(draft);
  if (std::all_of(varied.parameter.begin(), varied.parameter.end(), [](const auto& p) { return p.empty(); })) return;
  for (const DraftPanel& panel : draft.panels) {
    plot.panels.push_back({panel.title, {}});
    for (const std::size_t first : best_of_learners(draft.results, panel.settings)) {
      std::vector<std::size_t> settings = panel.settings;
      std::erase_if(settings,
                    [&](std::size_t s) { return draft.results.learner_of[s] != draft.results.learner_of[first]; });
      PlotSeries series = series_of(draft, varied, settings);
      if (series.points.empty()) continue;
      plot.keys[series.key].drawn = series.drawn;
      plot.panels.back().series.push_back(std::move(series));
    }
  }
  const double highest = draft.highest_error();
  std::vector<double> errors;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      for (const PlotPoint& p : series.points) {
        if (p.mark != Mark::cross && p.y <= highest) errors.push_back(p.y);
      }
    }
  }
  plot.x = varied.axis;
  plot.x_label = varied.label;
  plot.y = draft.error_axis(std::move(errors));
  plot.y_label += " over the whole curve";
  explain_marks(plot, highest);
  draft.note_above(highest);
}

}  // namespace bellwether
