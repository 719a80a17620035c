#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/data/log/log_columns.h>

namespace bellwether {

/// A question about the future: the discounted sum of one reward. Several targets over the same steps are general value
/// functions; they share features and statistics, and each has a learner of its own.
struct Target {
  std::string reward;   // its column
  double discount = 1;  // multiplies the discount of each step, or replaces it (Recipe::ends_only)

  bool operator==(const Target&) const = default;
};

/// How a model is made: everything but what it has learned. Two models with equal recipes can be merged. `learn` finds
/// it from the data and reports it (LearnSummary::recipe); a program with its own steps writes it:
///
///     const Recipe recipe{.dim = 2,
///                         .learner = "lstd",
///                         .settings = {{"lambda", 0.9}},
///                         .targets = {{.reward = "reward", .discount = 0.99}},
///                         .resamples = 20};
///
/// With a feature map, the state has a column for each variable. Without one it has no column, where steps come with
/// ready-made features, or one for each feature. Where it has columns, those of the reward are `rewards()`.
struct Recipe {
  LogColumns columns = {};               // empty for steps with ready-made features
  std::string features = "none";         // a description (features/feature_maps.h); none: the data is features already
  Settings feature_settings = {};        // parameters that the description leaves out
  std::vector<Variable> variables = {};  // with the ranges that the features were made for
  std::size_t dim = 1;                   // number of features; that of the map, if there is one
  Layout layout = Layout::dense;         // of the features; that of the map, if there is one
  std::string learner = {};              // its name
  Settings settings = {};                // its parameters; `learn` lists every one
  std::vector<Target> targets = {};
  bool ends_only = false;     // step discounts only mark episode ends; the target's discount applies otherwise
  std::uint64_t seed = 1;     // seed of features, resampling and holding out
  std::size_t resamples = 0;  // more learners, each of which learns from a random half of the episodes
  double holdout = 0;         // share of the episodes that is not learned from, but judged by

  /// The name of a target: its reward, followed by its discount where several targets have the same reward.
  std::string name_of(std::size_t target) const;

  /// The distinct rewards of the targets, in order of their first occurrence: the rewards that steps have.
  std::vector<std::string> rewards() const;

  /// The index of a target's reward in `rewards()`.
  std::size_t reward_of(std::size_t target) const;

  /// Whether each state has a feature of its own, so that nothing is shared.
  bool tabular() const;

  /// The feature map, made anew, or null where the data is features already. Throws InvalidArgument when the
  /// description or a range is wrong.
  std::shared_ptr<const FeatureMap> map() const;
};

/// A recipe as JSON, and back; numbers keep their bits. Throws InvalidArgument for text that is not a recipe.
std::string text_of(const Recipe& recipe);
Recipe parse_recipe(const std::string& text);

/// The value with this name as a number; nothing when there is none or it is not a number.
std::optional<double> number_in(const Settings& values, std::string_view name);

}  // namespace bellwether
