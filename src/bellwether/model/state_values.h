#pragma once

#include <vector>

#include <bellwether/model/model.h>

namespace bellwether {

/// Values of states as they are shown: within what the rewards allow (Model::possible_values), and not a number where a
/// target has none (Model::why_not_predicted). `low` and `high` are empty unless intervals were asked for.
///
///     for (StateRows states(model, "states.csv"); states.next();)
///       for (const double value : values_of(model, /*target=*/0, states.rows(), /*interval=*/false).value)
///         std::printf("%g\n", value);
struct StateValues {
  std::vector<double> value;  // of each state
  std::vector<double> low;    // the ends of its 95 % interval, of each state on its own
  std::vector<double> high;
};

/// The values of these states for one target. Throws InvalidArgument for intervals of a model with fewer than two
/// resamples.
StateValues values_of(const Model& model, std::size_t target, const FeatureRows& rows, bool interval);

}  // namespace bellwether
