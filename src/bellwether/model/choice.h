#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/params.h>
#include <bellwether/core/variable.h>
#include <bellwether/data/steps.h>

/// What is chosen when nobody says otherwise: something that needs no tuning.
namespace bellwether {

struct Choice {
  std::string name;
  Settings settings;
  std::string why;  // the rest of the sentence "lstd, as ..."
};

/// Features for variables: a table for one whole variable of at most a thousand values, else tiles, jointly for up to
/// two variables, for each variable and each pair of up to six, for each variable of up to 500, with a bias; the
/// variables themselves beyond that.
Choice choose_features(const std::vector<Variable>& variables);

/// A learner for features like those of `first`, the first steps: exact least squares where it fits, as a matrix for up
/// to 200 features and from the stored steps for data of up to 2 GB; otherwise accelerated TD. `bytes` is the size of
/// the data, if it is known. On-policy the trace decays by 0.9 a step; off-policy there is none, since products of many
/// ratios have a large variance. The ridge is a thousandth of the mean square of a feature, a tenth for equations that
/// are solved by iteration, to a residual of 1e-6: where features are many and alike, no more can be had in little
/// time.
Choice choose_learner(const StepBlock& first, std::optional<std::uint64_t> bytes);

/// How many halves of the episodes are learned from besides, for intervals: fewer, or none, where one takes long.
std::size_t choose_resamples(const std::string& learner, std::size_t dim, std::optional<std::uint64_t> bytes);

}  // namespace bellwether
