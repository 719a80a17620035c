#include <bellwether/domains/boyan_chain.h>

#include <string>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

/// Row s of the table is state s + 1; state 0 is the end of the episode and has no row.
FiniteModel chain(std::int64_t size) {
  if (size % 4 != 0) {
    throw InvalidArgument("boyan_chain: size = " + std::to_string(size) + " is not a multiple of 4");
  }
  const auto n = static_cast<std::size_t>(size);
  FiniteModel model;
  model.states = n;
  model.start.assign(n, 0.0);
  model.start[n - 1] = 1;
  model.arcs.push_back({.from = 0, .to = 0, .probability = 1, .reward = -2, .discount = 0});
  for (std::size_t s = 1; s < n; ++s) {
    model.arcs.push_back({.from = s, .to = s - 1, .probability = 0.5, .reward = -3, .discount = 1});
    const bool ends = s == 1;
    model.arcs.push_back(
        {.from = s, .to = ends ? 0 : s - 2, .probability = 0.5, .reward = -3, .discount = ends ? 0.0 : 1.0});
  }
  return model;
}

}  // namespace

BoyanChain::BoyanChain(const Params& params) : FiniteDomain(chain(checked(name, params).size), 1), params_(params) {}

std::unique_ptr<FeatureMap> BoyanChain::features(std::uint64_t, std::uint64_t) const {
  const auto size = static_cast<std::size_t>(params_.size);
  const std::size_t dim = size / 4 + 1;
  const Layout layout = dim <= 32 ? Layout::dense : Layout::sparse;  // two features are active, however many there are
  RowBuffer rows(layout, dim);
  for (std::size_t state = 1; state <= size; ++state) {
    const std::size_t whole = (size - state) / 4;
    const double fraction = static_cast<double>((size - state) % 4) / 4;
    std::span<double> dense;
    if (layout == Layout::dense) dense = rows.add_dense();
    const auto put = [&](std::size_t j, double value) {
      if (layout == Layout::dense) dense[j] = value;
      else rows.add(static_cast<std::uint32_t>(j), value);
    };
    put(whole, 1 - fraction);
    if (fraction > 0) put(whole + 1, fraction);
    if (layout == Layout::sparse) rows.end_row();
  }
  return std::make_unique<TableFeatures>(name, 1, std::move(rows));
}

}  // namespace bellwether
