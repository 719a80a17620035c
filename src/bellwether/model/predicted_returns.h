#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bellwether {

/// A return that was observed from a state, and the value that had been predicted for it before.
struct PredictedReturn {
  double value = 0;         // predicted
  double outcome = 0;       // observed; off-policy weighted by the product of the importance ratios
  std::size_t episode = 0;  // a number that the steps of an episode share
};

/// States with similar predictions. If the values are right, mean_value and mean_return agree within half_width.
struct ReturnGroup {
  std::size_t steps = 0;                  // that have these predictions and a known return
  std::size_t episodes = 0;               // that these steps belong to
  double mean_value = 0;                  // of the predictions
  double mean_return = 0;                 // of the returns
  std::optional<double> half_width = {};  // half the 95 % interval of mean_return; nothing for a single episode
};

/// Predictions against returns, in the unit of the reward: the calibration of values. Returns are noisy, so single ones
/// say little; means over many states with similar predictions must lie on the diagonal.
///
///     for (const ReturnGroup& group : model.predicted_returns(0).groups)
///       std::printf("predicted %g, observed %g\n", group.mean_value, group.mean_return);
///
/// Returns of one episode share their noise. The interval of a group therefore counts episodes, not steps:
///
///   Var(mean of G over n steps) = E/(E-1) sum_e (sum_{t in e} (G_t - mean))^2 / n^2     with E episodes
///
/// times Student's t with E - 1 degrees of freedom.
struct PredictedReturns {
  std::uint64_t after = 0;              // how many steps the values had been learned from
  std::size_t steps = 0;                // how many steps with a known return they were compared on
  std::vector<ReturnGroup> groups;      // at most ten of about equal size, the smallest predictions first
  std::vector<PredictedReturn> sample;  // up to 400 of these steps, evenly spaced
};

/// Groups predictions. Equal predictions are in the same group; in order of steps, those of an episode are together.
PredictedReturns predicted_returns(const std::vector<PredictedReturn>& all, std::uint64_t after);

}  // namespace bellwether
