#pragma once

#include <string>
#include <vector>

#include <bellwether/report/held_out.h>

/// Learners at their best settings, judged on held-out seeds (report/held_out.h), as text, CSV and JSON.
namespace bellwether::cli {

/// One case of a study by one metric.
struct HeldOutTable {
  const StudyResults* results = nullptr;
  std::size_t of_case = 0;
  Ranking ranking;
  HeldOutCase judged;
};

/// A heading for each study, and for every case a table.
std::string held_out_text(const std::vector<HeldOutTable>& tables);

/// A row for each learner of each table.
std::string held_out_csv(const std::vector<HeldOutTable>& tables);

/// A list of the same rows.
std::string held_out_json(const std::vector<HeldOutTable>& tables);

}  // namespace bellwether::cli
