#include <bellwether/report/figures.h>

#include <algorithm>

#include <bellwether/report/figure_draft.h>

namespace bellwether {

std::vector<Figure> figures_of(const StudyResults& results) {
  if (!results.figures.empty()) return results.figures;
  std::vector<Figure> figures(3);
  const auto set = [&](Shows shows, const char* x, const char* title) {
    Figure& figure = figures[static_cast<std::size_t>(shows)];
    figure.title = title;
    figure.shows = shows;
    figure.x = x;
  };
  set(Shows::curves, "steps", "Learning curves");
  set(Shows::sensitivity, "own", "Sensitivity");
  set(Shows::cost, "time", "Error and time");
  return figures;
}

std::string draw(const StoreReader& reader, const StudyResults& results, std::size_t of_case, const Figure& figure) {
  auto draft = figure_draft(reader, results, of_case, figure);
  if (!draft) return {};
  switch (figure.shows) {
    case Shows::curves: draw_curves(*draft); break;
    case Shows::sensitivity: draw_sensitivity(*draft); break;
    case Shows::cost: draw_cost(*draft); break;
  }
  if (figure.shows != Shows::sensitivity) {
    std::vector<std::string> diverged;
    for (const std::size_t s : best_of_learners(results, draft->settings)) {
      if (!draft->finished(s)) diverged.push_back(draft->learner(s).label);
    }
    draft->note("Left out, because all runs diverged", diverged);
  }
  const auto& panels = draft->plot.panels;
  const bool drawn = std::any_of(panels.begin(), panels.end(), [](const PlotPanel& p) { return !p.series.empty(); });
  return drawn ? draft->plot.svg() : "";
}

}  // namespace bellwether
