#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

namespace bellwether {

/// Which learning curves the page of a report holds: those of all settings, or only of settings that are the best of
/// their learner by some metric, as the figures of the study file show them.
enum class CurvesKept : std::uint8_t { all, best };
constexpr auto names(CurvesKept) { return std::array{"all", "best"}; }

/// The learning curves of a study in the form of report_data.h.
struct ReportCurves {
  std::vector<std::optional<std::size_t>> index;    // of every setting; nothing when its curve is not there
  std::vector<std::vector<std::size_t>> exploding;  // of every metric, the settings whose curves do (figure_rules.h)
  std::string base64;
};

ReportCurves report_curves(const StoreReader& reader, const StudyResults& results, CurvesKept kept);

}  // namespace bellwether
