#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/learners/work.h>

namespace bellwether {

/// A learner as its folder registers it (learners/sharing/entries.h).
struct RegisteredLearner : LearnerEntry {
  /// The settings without the parameters in which learners that share work may differ; all of them where nothing can be
  /// shared.
  Settings (*in_common)(const Settings&);

  /// An ensemble of learners whose settings in common are equal; null where nothing can be shared.
  std::unique_ptr<Ensemble> (*make_ensemble)(std::size_t dim, std::span<const Settings> members);

  /// What its work grows with.
  Work work = Work::features;

  /// The numbers (doubles) that its parameters make it keep at least, such as those of a rank; null where that is
  /// nothing to speak of.
  double (*least_numbers)(std::size_t dim, const Settings& settings) = nullptr;

  /// The parameters that are step sizes, and those that are ridges (traces/step_size.h).
  std::vector<std::string> step_sizes = {}, ridges = {};
};

/// The learners of each folder, defined in its all.cpp, so that families are compiled side by side.
std::vector<RegisteredLearner> td_learners();
std::vector<RegisteredLearner> gradient_learners();
std::vector<RegisteredLearner> least_squares_learners();
std::vector<RegisteredLearner> accelerated_learners();

/// All of them.
const std::vector<RegisteredLearner>& registered_learners();

/// One of them. Throws InvalidArgument, suggesting the nearest name there is.
const RegisteredLearner& registered_learner(std::string_view name);

}  // namespace bellwether
