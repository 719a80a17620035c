#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/params/settings.h>
#include <bellwether/core/variable.h>
#include <bellwether/data/steps.h>

/// What is used where a request says nothing: features and learners that need no tuning.
namespace bellwether {

struct Default {
  std::string name;
  Settings settings;
  std::string why;  // the rest of the sentence "lstd, as ..."
};

/// How far states may leave the ranges of their variables.
enum class Leaving : std::uint8_t {
  unseen,  // no state in the data does
  some     // a stream may drift, and outliers do
};

/// Features for these variables: a table for one whole variable of at most a thousand values; otherwise tiles with a
/// bias, jointly for up to two variables. For more variables, the first of these that `rows` are enough for:
///
///   tiles of each variable and each pair, for up to six variables
///   tiles of each variable, or fewer and larger ones, for up to 500 variables
///   the variables themselves
///
/// Ten rows are needed for each feature, and fifty beyond 2000 features, which take long. Nothing is known of the rows
/// of a stream, which are taken to be enough. Tiles go on beyond the ranges: one at either end, so that states that
/// were never seen are known as such, and six, or three for more than two variables, where some states are there.
Default default_features(const std::vector<Variable>& variables, Leaving leaving,
                         std::optional<std::uint64_t> rows = std::nullopt);

/// Features of the variables that are text: `categorical` where there are at least five rows for each text, hashed
/// otherwise, and a `cross` of each with each other variable, as far as
/// there are ten rows for each combination, up to 4000 of them. Empty where no variable is text.
std::string text_features(const std::vector<Variable>& variables, std::optional<std::uint64_t> rows);

/// A learner for features like those of the first steps: exact least squares where it fits, as a matrix for up to 200
/// features and from the stored steps for data of up to 2 GB; otherwise accelerated TD. `bytes` is the size of the
/// data, if it is known. On-policy the trace decays by 0.9 per step; off-policy there is no trace, since products of
/// many ratios have a large variance. The ridge is a thousandth of the mean square of a feature. It is a tenth for
/// equations that are solved by iteration, to a residual of 1e-6: where features are many and alike, little time buys
/// no more.
Default default_learner(const StepBlock& first, std::optional<std::uint64_t> bytes);

/// How many learners learn from random halves of the episodes, for intervals: none where one of them takes long.
std::size_t default_resamples(const std::string& learner, std::size_t dim, std::optional<std::uint64_t> bytes,
                              std::optional<std::uint64_t> rows = std::nullopt);

}  // namespace bellwether
