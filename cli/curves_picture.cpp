#include "curves_picture.h"

#include <cmath>

#include <fmt/format.h>

#include <bellwether/report/line_plot.h>

namespace bellwether::cli {

std::string curves_picture(const StoreReader& reader, const Shown& shown, const Case& c, const Ranking& ranking) {
  const StudyRecord& study = shown.study.record;
  LinePlot plot;
  plot.title = fmt::format("{} ({})", study.title, study.scale);
  plot.x_label = fmt::format("steps of {}", text_of(c));
  plot.y_label = fmt::format("{} (mean, 95 % band)", title_of(study.metrics[ranking.metric]));
  for (const std::uint64_t t : study.at) plot.x.push_back(static_cast<double>(t));
  for (const Summary* row : ranked(shown, c, ranking)) {
    const auto curve = reader.curve(row->setting.id, study.metrics[ranking.metric]);
    if (curve.empty()) continue;
    PlotSeries series{
        {fmt::format("{} ({:.3g})", row->setting.record.label, (row->*ranking.by)[ranking.metric].mean)}, {}, {}};
    for (const CurvePoint& point : curve) {
      const auto n = static_cast<double>(point.runs);
      series.y.push_back(point.mean);
      series.half_width.push_back(point.runs < 2 ? infinity
                                                 : student_t_95(point.runs - 1) * std::sqrt(point.variance / n));
    }
    constexpr double far_off = 10;  // times what it began with: a curve that leaves no room for the others
    if (series.y.back() <= far_off * series.y.front()) plot.series.push_back(std::move(series));
  }
  return plot.series.empty() ? "" : plot.svg();
}

}  // namespace bellwether::cli
