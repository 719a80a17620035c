#pragma once

#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

/// The settings of a study in a file of results, ranked, as text.
namespace bellwether::cli {

/// Which settings are shown, and how they are ranked.
struct Selection {
  Ranking ranking;
  bool best = false;    // only the best setting of every label
  std::string learner;  // or label; empty: all
};

/// The selected settings of one case, best first.
std::vector<const Summary*> selected(const StudyResults& results, std::size_t of_case, const Selection& selection);

/// The swept parameters of a setting, by its index: "alpha=0.1 lambda=0.9".
std::string swept_text(const StudyResults& results, std::size_t setting);

/// The name of a study, its protocol, and how much of it is done; some lines.
std::string heading(const StudyResults& results);

/// A heading, and for every case a table.
std::string ranking_text(const StudyResults& results, const Selection& selection);

}  // namespace bellwether::cli
