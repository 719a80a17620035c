#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <bellwether/report/figure_draft.h>
#include <bellwether/report/figure_rules.h>
#include <bellwether/report/plot/palette.h>

namespace bellwether {

namespace {

/// Microseconds or bytes; nothing when they were not measured or are zero, which has no logarithm.
std::optional<double> cost_of(const StoredSetting& setting, bool memory) {
  const double cost = memory ? static_cast<double>(setting.bytes.value_or(0)) : setting.microseconds.value_or(0);
  return cost > 0 ? std::optional(cost) : std::nullopt;
}

std::string text_of_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.3g} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.3g} MB", bytes / 1e6);
  return bytes >= 1e3 ? fmt::format("{:.3g} kB", bytes / 1e3) : fmt::format("{:.3g} B", bytes);
}

PlotAxis cost_axis(const std::vector<double>& costs, bool memory, std::size_t labels) {
  const auto [low, high] = std::minmax_element(costs.begin(), costs.end());
  const double margin = std::max(1.1, std::pow(*high / *low, 0.04));
  PlotAxis axis = log_axis(*low / margin, *high * margin, labels);
  if (!memory) return axis;
  for (PlotTick& tick : axis.ticks) {
    if (!tick.text.empty()) tick = {tick.value, text_of_bytes(tick.value), ""};
  }
  return axis;
}

/// A mark for the best setting of each learner, dots for its other settings, and the front.
PlotPanel panel_of(const FigureDraft& draft, const DraftPanel& panel, bool memory) {
  const auto leaders = best_of_learners(draft.results, panel.settings);
  std::map<std::size_t, PlotSeries> best;
  std::map<std::size_t, PlotSeries> others;
  std::vector<CostPoint> points;
  for (const std::size_t s : panel.settings) {
    const auto cost = cost_of(draft.summary(s).setting, memory);
    if (!draft.finished(s) || !cost) continue;
    const std::size_t key = draft.key_of[draft.results.learner_of[s]];
    const PlotPoint point{*cost, draft.error(s).mean, 0, draft.mark(s)};
    points.push_back({point.x, point.y, point.mark == Mark::open});
    if (std::find(leaders.begin(), leaders.end(), s) == leaders.end()) {
      others.try_emplace(key, PlotSeries{key, Drawn::dots, {}}).first->second.points.push_back(point);
    } else {
      best.emplace(key, PlotSeries{key, Drawn::marks, {point}});
    }
  }
  PlotPanel drawn{panel.title, {}};
  for (auto& entry : best) drawn.series.push_back(std::move(entry.second));
  for (auto& entry : others) drawn.series.push_back(std::move(entry.second));
  PlotSeries line{draft.plot.keys.size() - 1, draft.larger_is_better() ? Drawn::steps_up : Drawn::steps, {}};
  for (const std::size_t i : front(points, draft.larger_is_better()))
    line.points.push_back({points[i].cost, points[i].error});
  if (!line.points.empty()) drawn.series.push_back(std::move(line));
  return drawn;
}

}  // namespace

void draw_cost(FigureDraft& draft) {
  Plot& plot = draft.plot;
  const bool memory = draft.figure.x == "memory";
  for (PlotKey& key : plot.keys) key.drawn = Drawn::marks;
  plot.keys.push_back({{"Pareto front"}, ink, 0, Drawn::steps});
  for (const DraftPanel& panel : draft.panels) plot.panels.push_back(panel_of(draft, panel, memory));

  const double highest = draft.highest_error();
  std::vector<double> costs;
  std::vector<double> errors;
  std::size_t above = 0;
  bool open = false;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) {
      if (series.key == plot.keys.size() - 1) continue;  // the front
      for (const PlotPoint& p : series.points) {
        if (!(p.y <= highest)) {
          ++above;
          continue;
        }
        open |= p.mark == Mark::open;
        costs.push_back(p.x);
        errors.push_back(p.y);
      }
    }
  }
  if (costs.empty()) return plot.panels.clear();
  plot.x = cost_axis(costs, memory, static_cast<std::size_t>(plot.panel_width / 60));
  plot.x_label = memory ? "memory" : "time per step in \u00b5s";
  plot.y = draft.error_axis(std::move(errors));
  plot.y_label += " over the whole curve";
  std::vector<std::string> unmeasured;
  for (const std::size_t s : best_of_learners(draft.results, draft.settings)) {
    if (draft.finished(s) && !cost_of(draft.summary(s).setting, memory)) unmeasured.push_back(draft.learner(s).label);
  }
  draft.note(fmt::format("Left out, because their {} was not measured", memory ? "memory" : "time"), unmeasured);
  draft.note_above(highest);
  if (open) plot.notes.emplace_back("Open marks: some runs diverged; these take no part in the front.");
  if (above > 0) plot.notes.push_back(fmt::format("Settings above the upper edge: {}.", above));
}

}  // namespace bellwether
