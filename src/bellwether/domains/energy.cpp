#include <bellwether/domains/energy.h>

#include <cassert>

#include <bellwether/features/tile_coding.h>

namespace bellwether {

namespace {

/// The indices of the variables in a state.
enum Place : std::uint8_t { storage, wind, price, demand, previous_demand, clock, places };

energy::Cell cell_of(std::span<const double> state) {
  const energy::Cell s{.storage = static_cast<std::size_t>(state[storage]),
                       .wind = static_cast<std::size_t>(state[wind]) - energy::lowest_wind,
                       .price = static_cast<std::size_t>(state[price]) - energy::lowest_price,
                       .demand = static_cast<std::size_t>(state[demand])};
  assert(s.storage < energy::storages && s.wind < energy::winds);
  assert(s.price < energy::prices && s.demand < energy::demands);
  return s;
}

std::size_t phase_of(std::span<const double> state) {
  const auto phase = static_cast<std::size_t>(state[clock]);
  assert(phase < energy::Clocks::period);
  return phase;
}

}  // namespace

Energy::Energy(const Params& params)
    : params_(checked(name, params)),
      processes_(params.jump),
      policy_(processes_),
      clocks_{params.clock == EnergyClock::both24 ? energy::Policy::hours : energy::demand_period},
      variables_{{"storage", 0, 30, true},
                 {"wind", 1, 7, true},
                 {"price", 30, 70, true},
                 {"demand", 0, 7, true},
                 {"previous_demand", 0, 7, true},
                 {.name = "clock", .low = 0, .high = energy::Clocks::period - 1, .whole = true, .hidden = true}} {}

void Energy::start(Rng& rng, std::span<double> state) const {
  const auto uniform = [&](double low, double high) {
    return low + static_cast<double>(rng.below(static_cast<std::uint64_t>(high - low) + 1));
  };
  state[storage] = uniform(0, 10);
  state[wind] = uniform(1, 5);
  state[price] = uniform(30, 50);
  state[demand] = uniform(0, 7);
  state[clock] = 0;
  step(rng, state);
}

Outcome Energy::step(Rng& rng, std::span<double> state) const {
  assert(state.size() == places);
  const energy::Cell s = cell_of(state);
  const std::size_t phase = phase_of(state);
  const energy::Decision decision = policy_.decision(clocks_.policy_hour(phase), s);
  const double reward = state[price] * decision.units;
  state[previous_demand] = state[demand];
  state[storage] = decision.storage;
  state[wind] = static_cast<double>(energy::lowest_wind + processes_.next_wind(s.wind, rng.uniform()));
  state[price] = static_cast<double>(energy::lowest_price + processes_.next_price(s.price, rng.uniform()));
  state[demand] = static_cast<double>(processes_.next_demand(clocks_.demand_hour(phase), rng.uniform()));
  state[clock] = static_cast<double>(phase + 1 == energy::Clocks::period ? 0 : phase + 1);
  return {.reward = reward, .discount = params_.discount};
}

bool Energy::true_values(std::span<const double> states, std::span<double> values) const {
  const energy::Values v = exact_values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto state = states.subspan(i * places, places);
    values[i] = v(phase_of(state), cell_of(state));
  }
  return true;
}

std::unique_ptr<FeatureMap> Energy::features(std::uint64_t, std::uint64_t) const {
  const bool hashed = params_.encoding == EnergyEncoding::hash;
  return std::make_unique<TileCoding>(variables_,
                                      TileCoding::Params{.tilings = 32,
                                                         .tiles = "4,4,2",
                                                         .groups = "1,2,3",
                                                         .memory = 8192,
                                                         .indexing = hashed ? TileIndexing::hash : TileIndexing::direct,
                                                         .edges = hashed ? TileEdges::extend : TileEdges::clip});
}

}  // namespace bellwether
