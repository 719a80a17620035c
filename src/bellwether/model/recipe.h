#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/settings.h>
#include <bellwether/data/log_columns.h>

namespace bellwether {

/// A question about the future: the discounted sum of one reward. Several of them over the same steps are general value
/// functions.
struct Target {
  std::string reward;   // its column
  double discount = 1;  // multiplies the discount of each step, or stands for it

  bool operator==(const Target&) const = default;
};

/// How a model came to be: all but what it has learned. Two models with equal recipes can be merged.
struct Recipe {
  LogColumns columns;             // empty for steps with ready-made features
  std::string features = "none";  // a description (features/feature_maps.h); none: what comes is features already
  Settings feature_settings;
  std::vector<Variable> variables;  // with the ranges that the features were made for
  std::size_t dim = 1;
  Layout layout = Layout::dense;
  std::string learner;
  Settings settings;  // every parameter
  std::vector<Target> targets;
  bool ends_only =
      false;  // of the discounts of steps it only counts whether they are 0; the targets' stand for the rest
  std::uint64_t seed = 1;     // of features, resampling and holding out
  std::size_t resamples = 0;  // learners beside the first, each from a random half of the episodes
  double holdout = 0;         // share of the episodes that is not learned from

  /// What the target is called where there are several: the reward, with its discount if it needs that to be told
  /// apart.
  std::string name_of(std::size_t target) const;

  /// The different rewards of the targets, in the order in which they come first: those that steps have.
  std::vector<std::string> rewards() const;

  /// Which of these is a target's.
  std::size_t reward_of(std::size_t target) const;

  /// The features, or null where there is nothing to map.
  std::shared_ptr<const FeatureMap> map() const;
};

/// As JSON, and back; numbers keep their bits. Throws InvalidArgument for text that is not a recipe.
std::string text_of(const Recipe& recipe);
Recipe parse_recipe(const std::string& text);

}  // namespace bellwether
