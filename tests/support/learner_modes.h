#pragma once

#include <vector>

#include <bellwether/learners/learners.h>

namespace bellwether::testing {

/// Settings of a learner: its defaults but for some that make it learn a lot in few steps, and every mode that a choice
/// or a list of further settings makes.
std::vector<Settings> modes_of(const LearnerEntry& entry);

}  // namespace bellwether::testing
