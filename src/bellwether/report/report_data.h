#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

namespace bellwether {

/// What the page of a report shows, as JSON text. `<` is written as an escape, so that no text in it can end the
/// script element it stands in.
///
///     {"version": "0.1.0", "studies": [{
///       "file": "boyan.db", "name": "boyan", "scale": "quick", "title": "Boyan's chain", "about": "Figure 1 ...",
///       "created": "2026-01-31T12:00:00Z", "version": ..., "machine": ..., "command": ..., "source": ...,
///       "protocol": {"steps": "1000", ...},        // texts
///       "seeds": 50,                               // runs planned for each setting
///       "metrics": [{"name": "relative", "title": "relative error"}, ...],   // the first ranks
///       "at": [0, 50, ..., 1000],                  // steps at which they were recorded
///       "cases": ["boyan_chain, its own features", ...],
///       "learners": [{"label": "TD", "learner": "td", "swept": ["lambda", "alpha"], "own": "alpha" or null,
///                     "fixed": {"trace": "accumulating", ...}, "colour": 0, "dash": 1}, ...],
///       "figures": [{"title": ..., "shows": "curves" | "sensitivity" | "cost", "learners": ["TD", ...] or [],
///                    "x": "steps", "panels": "n0" or "", "at": {"lambda": "0.9"}, "metric": "relative", "y": "log"},
///                    ...],
///       "settings": {                              // columns: one entry for each setting
///         "id": [...], "case": [0, ...], "learner": [0, ...],          // places in cases and learners
///         "values": [["0.9", "0.1"], ...],         // of the parameters its learner sweeps, in that order, as texts
///         "dim": [...], "runs": [...], "diverged": [...],              // runs that are there; of these diverged
///         "microseconds": [... or null], "bytes": [... or null],       // per step; of memory
///         "average": [[...], ...], "average_half_width": [[...], ...], // of each metric, of each setting, or null
///         "last": [[...], ...], "last_half_width": [[...], ...],
///         "curve": [0, null, 1, ...]               // place among the curves; null: none was kept, or all runs
///         diverged
///       },
///       "curves": "AAAA..."                        // base64 of little-endian floats: for each curve, for each metric,
///     }]}                                          // the mean at each of `at`, then the half-widths (infinite: one
///     run)
///
/// Estimates leave diverged runs out; half-widths are of 95 % intervals.
struct ReportStudy {
  const StoreReader* reader;
  std::string file;  // as the page names it
  StudyResults results;
};

enum class CurvesKept : std::uint8_t { all, best };
constexpr auto names(CurvesKept) { return std::array{"all", "best"}; }

std::string report_data(const std::vector<ReportStudy>& studies, CurvesKept curves);

}  // namespace bellwether
