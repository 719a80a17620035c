#pragma once

#include <optional>
#include <string>
#include <vector>

#include <bellwether/report/plot.h>
#include <bellwether/report/study_results.h>

namespace bellwether {

/// What a panel of a figure may show: settings as places in StudyResults::settings, best first.
struct DraftPanel {
  std::string title;
  std::vector<std::size_t> settings;
};

/// A figure on its way: what figures of every kind have in common.
struct FigureDraft {
  const StoreReader& reader;
  const StudyResults& results;
  const Figure& figure;
  std::size_t metric;
  std::vector<std::size_t> settings;  // of the case and of learners that are shown, with runs, best first
  std::vector<DraftPanel> panels;     // these, a panel each
  Plot plot;                          // with titles, and a key for each learner, those with the smallest error first
  std::vector<std::size_t> key_of;    // of every learner of the study, its place in plot.keys

  const Summary& summary(std::size_t setting) const { return results.settings[setting]; }
  const ResultsLearner& learner(std::size_t setting) const { return results.learners[results.learner_of[setting]]; }
  const Estimate& error(std::size_t setting) const { return summary(setting).average[metric]; }
  bool finished(std::size_t setting) const { return error(setting).runs > 0; }  // any run

  /// The largest error that a figure of errors over the whole curve has to show: twice that of not learning at all, and
  /// all that learners have at their best, unless that is far off. Infinite when it is not known what a run begins
  /// with.
  double ceiling() const;

  /// An axis for these errors, zeros and infinities left out.
  PlotAxis error_axis(std::vector<double> errors) const;

  /// "Left out, because ...: TD, ETD." below the figure, if there are any.
  void note(const std::string& why, std::vector<std::string> labels);

  /// Names the learners that are above the ceiling at their best.
  void note_above(double ceiling);
};

/// How often more than at the beginning an error must be for a learner to leave no room for others.
inline constexpr double far_off = 10;

/// A draft without series; nothing when no run has finished or the metric was not measured.
std::optional<FigureDraft> figure_draft(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                                        const Figure& figure);

/// Values of a parameter as numbers; nothing unless they are numbers, and finite.
std::optional<double> number_of(const std::string& value);

/// The values a parameter takes in these settings of learners that sweep it: numbers in order, then others as they
/// come.
std::vector<std::string> values_of(const StudyResults& results, const std::vector<std::size_t>& settings,
                                   const std::string& parameter);

bool sweeps(const ResultsLearner& learner, const std::string& parameter);

void draw_curves(FigureDraft& draft);
void draw_sensitivity(FigureDraft& draft);
void draw_cost(FigureDraft& draft);

}  // namespace bellwether
