#pragma once

#include <string>
#include <vector>

#include <bellwether/model/learning/summary.h>

namespace bellwether {

/// What a person should know before trusting the values of a model, one sentence each, and what to do: data that was
/// left out, ratios and features that support little, learners that failed, values that cannot be right, intervals that
/// are rough.
std::vector<Warning> warnings(const Model& model, const LogNotes& notes);

}  // namespace bellwether
