#include <bellwether/domains/random_walk.h>

#include <cmath>
#include <string>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

/// Row s of the table is state s + 1.
FiniteModel walk(const RandomWalk::Params& params) {
  if (params.features == WalkFeatures::dependent && params.size % 2 == 0) {
    throw InvalidArgument("random_walk: size = " + std::to_string(params.size) +
                          " is not odd, which features = dependent requires");
  }
  const auto n = static_cast<std::size_t>(params.size);
  FiniteModel model;
  model.states = n;
  model.start.assign(n, 0.0);
  model.start[n / 2] = 1;
  for (std::size_t s = 0; s < n; ++s) {
    if (s == 0) model.arcs.push_back({.from = s, .to = s, .probability = 0.5, .reward = params.left, .discount = 0});
    else model.arcs.push_back({.from = s, .to = s - 1, .probability = 0.5, .reward = 0, .discount = params.discount});
    if (s + 1 == n) {
      model.arcs.push_back({.from = s, .to = s, .probability = 0.5, .reward = params.right, .discount = 0});
    } else {
      model.arcs.push_back({.from = s, .to = s + 1, .probability = 0.5, .reward = 0, .discount = params.discount});
    }
  }
  return model;
}

RowBuffer inverted(std::size_t n) {
  RowBuffer rows(Layout::dense, n);
  for (std::size_t s = 0; s < n; ++s) {
    const auto x = rows.add_dense();
    for (std::size_t j = 0; j < n; ++j) x[j] = j == s ? 0.0 : 1 / std::sqrt(static_cast<double>(n - 1));
  }
  return rows;
}

/// The ones spread from the left until all k features are 1 in the middle state, then vanish from the left.
RowBuffer dependent(std::size_t n) {
  const std::size_t k = (n + 1) / 2;
  RowBuffer rows(Layout::dense, k);
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t first = s < k ? 0 : s - k + 1;
    const std::size_t last = s < k ? s : k - 1;
    const auto x = rows.add_dense();
    for (std::size_t j = first; j <= last; ++j) x[j] = 1 / std::sqrt(static_cast<double>(last - first + 1));
  }
  return rows;
}

}  // namespace

RandomWalk::RandomWalk(const Params& params) : FiniteDomain(walk(checked(name, params)), 1), params_(params) {}

std::unique_ptr<FeatureMap> RandomWalk::features(std::uint64_t, std::uint64_t) const {
  const auto size = static_cast<std::size_t>(params_.size);
  switch (params_.features) {
    case WalkFeatures::inverted: return std::make_unique<TableFeatures>(name, 1, inverted(size));
    case WalkFeatures::dependent: return std::make_unique<TableFeatures>(name, 1, dependent(size));
    default: return std::make_unique<TableFeatures>(name, 1, indicator_rows(size));
  }
}

}  // namespace bellwether
