#pragma once

#include <string>

#include <bellwether/model/summary.h>

namespace bellwether::cli {

/// Writes the summary as a page of HTML that needs nothing else: the value of the policy, the diagnostics over time as
/// pictures and tables, the warnings, and how the model was made.
void write_page(const LearnSummary& summary, const std::string& path);

}  // namespace bellwether::cli
