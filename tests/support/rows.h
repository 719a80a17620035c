#pragma once

#include <span>
#include <vector>

#include <bellwether/core/feature_map.h>

namespace bellwether::testing {

/// The features of a state, written out densely.
inline std::vector<double> features_of(const FeatureMap& map, std::span<const double> state, Moment moment = {}) {
  RowBuffer rows(map.layout(), map.dim());
  map.append(state, rows, moment);
  std::vector<double> x(map.dim(), 0.0);
  visit(rows.view().row(0), [&](auto view) { view.for_each([&](std::size_t j, double v) { x.at(j) += v; }); });
  return x;
}

/// The active features of a state of a binary map, as they were written.
inline std::vector<std::uint32_t> active_features(const FeatureMap& map, std::span<const double> state,
                                                  Moment moment = {}) {
  RowBuffer rows(Layout::binary, map.dim());
  map.append(state, rows, moment);
  const auto x = rows.view().as<BinaryView>(0);
  return {x.indices, x.indices + x.size};
}

}  // namespace bellwether::testing
