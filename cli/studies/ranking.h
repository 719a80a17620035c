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

/// A heading, and for every case a table.
std::string ranking_text(const StudyResults& results, const Selection& selection);

}  // namespace bellwether::cli
