#pragma once

#include <string>
#include <vector>

#include <bellwether/report/report_curves.h>
#include <bellwether/report/study_results.h>

namespace bellwether {

/// What the page of a report shows, as JSON text. `<` is written as an escape, so that no text can end the script
/// element that holds the data. Cases, metrics, learners and settings are referred to by index.
///
///     {"version": "0.1.0", "studies": [{
///       "file": "boyan.db", "name": "boyan", "scale": "quick", "title": "Boyan's chain", "about": "Figure 1 ...",
///       "created": "2026-01-31T12:00:00Z", "version": ..., "machine": ..., "command": ..., "source": ...,
///       "protocol": {"steps": "1000", ...},        // all values are texts
///       "seeds": 50,                               // runs planned for each setting
///       "metrics": [{"name": "relative", "title": "relative error"}, ...],   // the first ranks
///                                                  // "larger_is_better": true where it is no error
///       "at": [0, 50, ..., 1000],                  // steps at which they were recorded
///       "cases": ["boyan_chain, its own features", ...],
///       "learners": [{"label": "TD", "learner": "td", "swept": ["lambda", "alpha"], "own": "alpha" or null,
///                     "fixed": {"trace": "accumulating", ...}, "colour": 0, "dash": "6 3", "shape": 1}, ...],
///       "parameters": [                            // those that some learner sweeps
///         {"name": "alpha", "values": ["0.01", "1"], "titles": ["alpha = 0.01", ...],   // smallest first
///          "scale": "log" | "linear" | "named"}, ...],
///       "figures": [{"title": ..., "shows": "curves" | "sensitivity" | "cost", "learners": ["TD", ...] or [],
///                    "x": "steps", "panels": "n0" or "", "at": {"lambda": "0.9"}, "metric": "relative", "y": "log"},
///                    ...],
///       "settings": {                              // columns: one entry for each setting
///         "id": [...], "case": [0, ...], "learner": [0, ...],
///         "values": [["0.9", "0.1"], ...],         // of the parameters that its learner sweeps, in that order
///         "dim": [...], "runs": [...], "diverged": [...],              // runs that are there, and how many diverged
///         "microseconds": [... or null], "bytes": [... or null],       // per step; of memory
///         "average": [[...], ...], "average_half_width": [[...], ...], // for each metric, each setting, or null
///         "last": [[...], ...], "last_half_width": [[...], ...],
///         "curve": [0, null, 1, ...]               // index among the curves; null: left out, or all runs diverged
///       },
///       "curves": "AAAA...",                       // base64 of little-endian floats: for each curve, for each metric,
///                                                  // the mean at each of `at`, then the half-widths (or infinity)
///
///       // What the rules of figures (figure_rules.h) and of ranking come to, for each metric:
///       "rankings": {"average": [[[4, 0, ...], ...], ...], "last": ...},   // for each case: settings, best first
///       "before_learning": [[1.0 or null, ...], ...],                      // for each case: the error
///       "exploding": [[7, ...], ...]                                       // settings whose curves do
///     }]}
///
/// Estimates leave diverged runs out; half-widths are those of 95 % intervals.
struct ReportStudy {
  const StoreReader* reader;
  std::string file;  // how the page names the file
  StudyResults results;
};

std::string report_data(const std::vector<ReportStudy>& studies, CurvesKept curves);

}  // namespace bellwether
