#pragma once

#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

namespace bellwether {

/// The figures of a study: those that its file asks for; if it asks for none, the learning curves, the sensitivity to
/// every learner's own parameter, and error against time per step.
std::vector<Figure> figures_of(const StudyResults& results);

/// A figure of one case as SVG for a paper: black on white, self-contained, text as text. Empty when there is nothing
/// to draw: no run has finished, what is asked for was not measured, or no learner sweeps the parameter on the axis.
///
///   curves       a line for each learner and a 95 % band. Learners that end with ten times the error they began with
///                are left out, and named below, unless all do. Time has a logarithmic axis when learners differ much.
///   sensitivity  a line with a mark and a 95 % whisker for each value. A value at which some runs of the setting shown
///                diverged has an open mark; where all did, a cross stands at the upper edge. A learner that does not
///                sweep the parameter is a level line. Values are on a logarithmic axis when they are positive and more
///                than a factor of 20 apart.
///   cost         a mark for each learner at its best setting, a dot for every other, open when some runs diverged, and
///                the Pareto front: of the settings without diverged runs those that no other beats in both.
///
/// Learners are listed by their error at their best. Errors over the whole curve are shown up to twice that of not
/// learning at all, so that learners that explode leave room for the others; who is beyond is named below.
std::string draw(const StoreReader& reader, const StudyResults& results, std::size_t of_case, const Figure& figure);

}  // namespace bellwether
