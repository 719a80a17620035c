#pragma once

#include <span>

#include <bellwether/core/features.h>

/// The values v = w.x of many states.
namespace bellwether {

/// w.x for every row; `values` has one number per row.
void values_of(const FeatureRows& rows, std::span<const double> w, std::span<double> values);

/// The same for eight vectors of weights side by side: w_j of the l-th is lanes[8 j + l], and its value of row i goes
/// to values[8 i + l]. The bits are those of `values_of`.
void eight_values_of(const FeatureRows& rows, std::span<const double> lanes, std::span<double> values);

}  // namespace bellwether
