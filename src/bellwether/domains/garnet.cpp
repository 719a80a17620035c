#include <bellwether/domains/garnet.h>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

void require_at_most(const char* what, std::int64_t value, const char* limit, std::int64_t most) {
  if (value <= most) return;
  throw InvalidArgument(fmt::format("garnet: {} = {} is above {} = {}", what, value, limit, most));
}

/// The lengths of the pieces of [0, 1] cut at n - 1 uniform points. Points are multiples of 2^-53, so that lengths are
/// exact and sum to 1 exactly. Points that coincide, one pair in 2^53, are drawn again: no piece is empty.
std::vector<double> pieces(Rng& rng, std::size_t n) {
  std::vector<double> cuts(n + 1);
  do {
    cuts.front() = 0;
    cuts.back() = 1;
    for (std::size_t i = 1; i < n; ++i) cuts[i] = rng.uniform();
    std::sort(cuts.begin(), cuts.end());
  } while (std::adjacent_find(cuts.begin(), cuts.end()) != cuts.end());
  for (std::size_t i = 0; i < n; ++i) cuts[i] = cuts[i + 1] - cuts[i];
  cuts.pop_back();
  return cuts;
}

/// Moves `count` random members of a permutation to its front.
void choose(Rng& rng, std::size_t count, std::vector<std::uint32_t>& order) {
  for (std::size_t i = 0; i < count; ++i) std::swap(order[i], order[i + rng.below(order.size() - i)]);
}

std::vector<std::uint32_t> in_order(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

const Garnet::Params& consistent(const Garnet::Params& params) {
  checked(Garnet::name, params);
  constexpr std::int64_t most_arcs = 2'000'000;  // some 300 MB
  const std::int64_t arcs = params.states * params.actions * params.branching;
  if (arcs > most_arcs) {
    throw InvalidArgument(fmt::format("garnet: states * actions * branching = {} is outside [1, {}]", arcs, most_arcs));
  }
  require_at_most("branching", params.branching, "states", params.states);
  if (params.features == GarnetFeatures::binary) require_at_most("ones", params.ones, "dim", params.dim);
  return params;
}

FiniteModel process(const Garnet::Params& params) {
  // Trajectories and features count runs from 0, so no run of any seed draws the same numbers as an instance.
  constexpr std::uint64_t apart = ~std::uint64_t{0};
  Rng rng(static_cast<std::uint64_t>(params.instance), apart, Purpose::features);
  const auto n = static_cast<std::size_t>(params.states);
  const auto actions = static_cast<std::size_t>(params.actions);
  const auto branching = static_cast<std::size_t>(params.branching);
  const double equal = 1 / static_cast<double>(actions);
  FiniteModel model;
  model.states = n;
  model.start.assign(n, 1 / static_cast<double>(n));
  auto successors = in_order(n);
  for (std::size_t s = 0; s < n; ++s) {
    const auto pi = pieces(rng, actions);
    const auto q = pieces(rng, actions);  // always drawn, so that the choice of behaviour does not change the process
    for (std::size_t a = 0; a < actions; ++a) {
      double mu = pi[a];
      if (params.behaviour == GarnetBehaviour::uniform) mu = equal;
      if (params.behaviour == GarnetBehaviour::random) mu = (equal + q[a]) / 2;
      choose(rng, branching, successors);
      const auto P = pieces(rng, branching);
      const double reward = rng.normal();
      for (std::size_t i = 0; i < branching; ++i) {
        model.arcs.push_back({.from = s,
                              .to = successors[i],
                              .probability = mu * P[i],
                              .reward = reward,
                              .discount = params.discount,
                              .rho = pi[a] / mu,
                              .pi = pi[a],
                              .action = static_cast<int>(a)});
      }
    }
  }
  return model;
}

std::vector<std::string> numbers(std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(std::to_string(i));
  return all;
}

RowBuffer binary(Rng& rng, std::size_t states, std::size_t dim, std::size_t ones) {
  RowBuffer rows(Layout::binary, dim);
  auto order = in_order(dim);
  for (std::size_t s = 0; s < states; ++s) {
    choose(rng, ones, order);
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(ones));
    rows.add_ones({order.data(), ones});
    rows.end_row();
  }
  return rows;
}

RowBuffer normal(Rng& rng, std::size_t states, std::size_t dim) {
  RowBuffer rows(Layout::dense, dim);
  for (std::size_t s = 0; s < states; ++s) {
    for (double& value : rows.add_dense()) value = rng.normal();
  }
  return rows;
}

}  // namespace

Garnet::Garnet(const Params& params)
    : FiniteDomain(process(consistent(params)), 1, numbers(params.actions)), params_(params) {}

std::unique_ptr<FeatureMap> Garnet::features(std::uint64_t seed, std::uint64_t run) const {
  const auto states = static_cast<std::size_t>(params_.states);
  const auto dim = static_cast<std::size_t>(params_.dim);
  Rng rng(seed, run, Purpose::features);
  const auto table = [&] {
    switch (params_.features) {
      case GarnetFeatures::binary: return binary(rng, states, dim, static_cast<std::size_t>(params_.ones));
      case GarnetFeatures::normal: return normal(rng, states, dim);
      default: return indicator_rows(states);
    }
  };
  return std::make_unique<TableFeatures>(name, 1, table());
}

}  // namespace bellwether
