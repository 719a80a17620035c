#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/variable.h>
#include <bellwether/data/steps.h>
#include <bellwether/model/learning/defaults.h>

/// The choice of features for many variables, by how well they predict episodes that they were not fitted to.
namespace bellwether {

/// Features worth trying for these variables and so many rows, from few features to many: the variables themselves,
/// with their squares and products, tiles of each of them, and tiles of pairs, hashed where these are too many. There
/// are at least five rows for each feature, and at most 2000 features. There is no candidate for one or two variables
/// that are numbers, and for more than 500.
std::vector<Default> candidate_features(const std::vector<Variable>& variables, Leaving leaving, std::uint64_t rows);

/// The usual features, or those of the candidates that predict clearly better: by more than a standard error. Values
/// are fitted to a random two thirds of the episodes (default_learner), twice, and judged by the mean squared error of
/// the returns of the others,
///
///   G_t = rho_t (R_{t+1} + gamma_{t+1} G_{t+1})
///
/// where the mean of all candidates' values stands for what comes after an episode that was cut short. So all are
/// judged by the same returns, whose noise is common to them. (TD errors, or lambda-returns with the values that are
/// judged, would prefer values that hardly differ between states.)
///
/// The features of the `steps` are the states; only the first reward counts. `discount` replaces that of steps that do
/// not end an episode. With fewer than 20 episodes, or units of long ones, the result is the usual features.
Default best_features(const Default& usual, const std::vector<Default>& candidates,
                      const std::vector<Variable>& variables, StepBlock steps, std::optional<double> discount,
                      std::uint64_t seed);

}  // namespace bellwether
