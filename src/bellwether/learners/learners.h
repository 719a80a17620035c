#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <bellwether/core/learner.h>
#include <bellwether/core/params/entry.h>

namespace bellwether {

using LearnerEntry = Entry<Learner, std::size_t>;

/// The learners by name; `make` takes the settings and the number of features. `bellwether list learners` prints them,
/// docs/reference.md describes them.
const std::vector<LearnerEntry>& learners();

/// Makes a learner of `dim` features by name.
///
///     const auto learner = make_learner("td", 4, {{"alpha", 0.05}, {"lambda", 0.5}});
///
/// Throws InvalidArgument when there is no such learner or parameter, or a value is out of range.
std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings = {});

}  // namespace bellwether
