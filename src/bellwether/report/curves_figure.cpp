#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/report/figure_draft.h>
#include <bellwether/report/figure_rules.h>

namespace bellwether {

namespace {

/// A learning curve. `per_step` is the distance of a step on the axis: one step, or its microseconds.
PlotSeries series_of(const FigureDraft& draft, std::size_t setting, double per_step) {
  const StudyRecord& study = draft.results.study.record;
  PlotSeries series{draft.key_of[draft.results.learner_of[setting]], Drawn::curve, {}};
  std::size_t k = 0;
  for (const CurvePoint& p : draft.reader.curve(draft.summary(setting).setting.id, study.metrics[draft.metric])) {
    series.points.push_back({per_step * static_cast<double>(study.at[k++]), p.mean, p.half_width(), Mark::none});
  }
  return series;
}

/// Turns many microseconds into milliseconds or seconds.
void choose_unit(Plot& plot) {
  double longest = 0;
  for (const auto& panel : plot.panels) {
    for (const auto& series : panel.series) longest = std::max(longest, series.points.back().x);
  }
  const double unit = longest >= 1e6 ? 1e6 : longest >= 1e3 ? 1e3 : 1;
  plot.x_label = fmt::format("time in {}", longest >= 1e6 ? "s" : longest >= 1e3 ? "ms" : "\u00b5s");
  for (auto& panel : plot.panels) {
    for (auto& series : panel.series) {
      for (auto& point : series.points) point.x /= unit;
    }
  }
}

/// The axis is linear, unless the times of learners differ so much that the fast ones would end at its left edge.
PlotAxis x_axis(const Plot& plot, bool in_time) {
  std::vector<double> ends;
  double first = infinity;
  double begin = infinity;
  for (const auto& panel : plot.panels) {
    for (const auto& series : panel.series) {
      ends.push_back(series.points.back().x);
      begin = std::min(begin, series.points.front().x);
      for (const auto& point : series.points) {
        if (point.x > 0) first = std::min(first, point.x);
      }
    }
  }
  const double end = *std::max_element(ends.begin(), ends.end());
  const auto labels = static_cast<std::size_t>(plot.panel_width / 60);
  return in_time && suits_log(ends) ? log_axis(first, end, labels) : linear_axis(begin, end, labels);
}

}  // namespace

void draw_curves(FigureDraft& draft) {
  Plot& plot = draft.plot;
  const bool in_time = draft.figure.x == "time";
  std::vector<std::string> exploding;
  std::vector<std::string> unmeasured;
  bool any_stays = false;
  const auto before_learning = [&](const PlotSeries& s) -> double {
    if (draft.larger_is_better()) return infinity;
    return s.points.front().y;
  };
  const auto off_scale = [&](const PlotSeries& s) { return explodes(before_learning(s), s.points.back().y); };
  for (const DraftPanel& panel : draft.panels) {
    plot.panels.push_back({panel.title, {}});
    for (const std::size_t s : best_of_learners(draft.results, panel.settings)) {
      const auto microseconds = draft.summary(s).setting.microseconds;
      if (!draft.finished(s)) continue;
      if (in_time && !microseconds) {
        unmeasured.push_back(draft.learner(s).label);
        continue;
      }
      PlotSeries series = series_of(draft, s, in_time ? *microseconds : 1);
      if (series.points.empty()) continue;
      any_stays |= !off_scale(series);
      plot.panels.back().series.push_back(std::move(series));
    }
  }
  std::vector<double> errors;
  for (PlotPanel& panel : plot.panels) {
    if (any_stays) {
      std::erase_if(panel.series, [&](const PlotSeries& series) {
        if (off_scale(series)) exploding.push_back(plot.keys[series.key].labels.front());
        return off_scale(series);
      });
    }
    for (const PlotSeries& series : panel.series) {
      const double highest = any_stays ? far_off * before_learning(series) : infinity;
      for (const PlotPoint& p : series.points) errors.push_back(std::min(p.y, highest));
    }
  }
  if (errors.empty()) return;
  if (in_time) choose_unit(plot);
  else plot.x_label = "steps";
  plot.x = x_axis(plot, in_time);
  if (plot.x.kind == Axis::log) {
    for (PlotPanel& panel : plot.panels) {
      for (PlotSeries& s : panel.series) std::erase_if(s.points, [](const PlotPoint& p) { return p.x <= 0; });
    }
  }
  plot.y = draft.error_axis(std::move(errors));
  plot.y_label += " (mean, 95 % band)";
  draft.note(fmt::format("Left out, because they end with more than {} times the error they began with", far_off),
             exploding);
  draft.note("Left out, because their time was not measured", unmeasured);
}

}  // namespace bellwether
