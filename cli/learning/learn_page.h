#pragma once

#include <string>

#include <bellwether/model/learning/summary.h>

namespace bellwether::cli {

/// Writes the summary as a page of HTML in one file: the value of the policy, figures and tables of the diagnostics
/// over time, the warnings, and how the model was made.
void write_page(const LearnSummary& summary, const std::string& path);

}  // namespace bellwether::cli
