#pragma once

#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

namespace bellwether {

/// The figures of a study: those that its file asks for, or else the learning curves, the sensitivity to each learner's
/// own parameter, and error against time per step.
std::vector<Figure> figures_of(const StudyResults& results);

/// A figure of one case as SVG for a paper: black on white, self-contained, with text as text. Empty when there is
/// nothing to draw: no run has finished, the metric, time or memory was not measured, or no learner sweeps the
/// parameter on the axis.
///
///   curves       a line with a 95 % band for each learner at its best setting. Learners whose curves explode are left
///                out and named below the figure, unless all do. Time has a logarithmic axis when learners differ much.
///   sensitivity  a line with a mark and a 95 % whisker for each value. The mark is open when some runs of the setting
///                diverged, and a cross at the upper edge when all did. A learner that does not sweep the parameter is
///                a level line.
///   cost         a mark for each learner at its best setting, a dot for every other setting, both open when some runs
///                diverged, and the Pareto front.
///
/// The legend lists learners by their best error. Errors over the whole curve are shown up to a ceiling, so that
/// learners that explode leave room for the others; learners above it are named below the figure. figure_rules.h has
/// the rules.
std::string draw(const StoreReader& reader, const StudyResults& results, std::size_t of_case, const Figure& figure);

}  // namespace bellwether
