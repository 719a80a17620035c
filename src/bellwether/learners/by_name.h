#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/learner.h>
#include <bellwether/core/registry.h>
#include <bellwether/learners/sharing/ensemble.h>

/// Learners by name, alone and together, for code that need not know their types, which learners/all.h lists.
namespace bellwether {

using LearnerEntry = Entry<Learner, std::size_t>;

/// The learners by name; `make` takes the settings and the number of features.
const std::vector<LearnerEntry>& learners();

/// A learner by name, its parameters as text. Throws InvalidArgument naming what is wrong.
std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings = {});

/// Learners of one type with fully resolved settings may learn together when their keys are equal: they then differ in
/// such parameters only as leave something to share.
std::string sharing_key(std::string_view name, const Settings& settings);

enum class Sharing : bool { off, on };

/// Learners of one type and one sharing key, as an ensemble. Without sharing, or when keys differ, its members only
/// learn side by side.
std::unique_ptr<Ensemble> make_ensemble(std::string_view name, std::size_t dim, const std::vector<Settings>& members,
                                        Sharing sharing = Sharing::on);

}  // namespace bellwether
