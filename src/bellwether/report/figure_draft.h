#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/report/plot/plot.h>
#include <bellwether/report/study_results.h>

namespace bellwether {

/// What a panel of a figure may show.
struct DraftPanel {
  std::string title;
  std::vector<std::size_t> settings;  // best first
};

/// A figure that has no series yet: what figures of every kind have in common.
struct FigureDraft {
  const StoreReader& reader;
  const StudyResults& results;
  const Figure& figure;
  std::size_t of_case;
  std::size_t metric;
  std::vector<std::size_t> settings;  // those of the case that have runs and whose learners are shown, best first
  std::vector<DraftPanel> panels;     // the same settings, a panel for each value of the parameter of panels
  Plot plot;                          // with titles, and a key for each learner, those with the smallest error first
  std::vector<std::size_t> key_of;    // of every learner of the study, the index of its key in plot.keys

  const Summary& summary(std::size_t setting) const { return results.settings[setting]; }
  const ResultsLearner& learner(std::size_t setting) const { return results.learners[results.learner_of[setting]]; }
  const Estimate& error(std::size_t setting) const { return summary(setting).average[metric]; }
  bool finished(std::size_t setting) const { return error(setting).runs > 0; }  // true when some run has an error

  bool larger_is_better() const { return bellwether::larger_is_better(results.study.record.metrics[metric]); }

  /// Filled, open when some runs diverged, a cross when all did.
  Mark mark(std::size_t setting) const;

  /// The largest error over the whole curve that this figure has to show (figure_rules.h).
  double highest_error() const;

  /// An axis for these errors. Infinities, and on a logarithmic axis zeros, do not count.
  PlotAxis error_axis(std::vector<double> errors) const;

  /// Adds "Left out, because ...: TD, ETD." below the figure, unless there are no labels.
  void note(const std::string& why, std::vector<std::string> labels);

  /// Names the learners whose best error is larger than `highest`.
  void note_above(double highest);
};

/// Nothing when no run has finished or the metric was not measured.
std::optional<FigureDraft> figure_draft(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                                        const Figure& figure);

/// "lambda = 0.9"; "n0 = 1e6" instead of 1000000
std::string panel_title(const std::string& parameter, const std::string& value);

/// The axis that suits the values of a parameter: by name unless all are numbers, otherwise linear or logarithmic.
enum class ValueScale : std::uint8_t { named, linear, log };
constexpr auto names(ValueScale) { return std::array{"named", "linear", "log"}; }
ValueScale scale_of(const std::vector<std::string>& values);

void draw_curves(FigureDraft& draft);
void draw_sensitivity(FigureDraft& draft);
void draw_cost(FigureDraft& draft);

}  // namespace bellwether
