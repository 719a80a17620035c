#pragma once

#include <algorithm>
#include <iterator>
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

/// How many features two states have in common.
inline std::size_t shared(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::uint32_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

}  // namespace bellwether::testing
