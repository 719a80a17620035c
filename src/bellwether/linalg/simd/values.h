#pragma once

#include <span>

#include <bellwether/core/features.h>

/// Values of many states, v = w.x.
namespace bellwether {

/// w.x for every row; `values` has one place per row.
void values_of(const FeatureRows& rows, std::span<const double> w, std::span<double> values);

/// The same for eight vectors of weights side by side, w_j of the l-th at lanes[8 j + l]: its values are at
/// values[8 i + l], and have the same bits.
void eight_values_of(const FeatureRows& rows, std::span<const double> lanes, std::span<double> values);

}  // namespace bellwether
