#include <bellwether/domains/support/energy_policy.h>

#include <algorithm>

namespace bellwether::energy {

namespace {

constexpr int largest_flow = 5;  // into or out of the storage
constexpr int capacity = static_cast<int>(storages) - 1;

using Row = std::array<double, Surface::width>;

Row price_values() {
  Row all{};
  for (std::size_t p = 0; p < prices; ++p) all[p] = static_cast<double>(lowest_price + static_cast<int>(p));
  return all;
}

/// The decisions that can be best: for each R' the one that sells most, in the order of their first occurrence.
std::vector<Decision> contenders(const std::vector<Decision>& feasible) {
  std::vector<Decision> all;
  for (const Decision decision : feasible) {
    const auto rival = std::find_if(all.begin(), all.end(), [&](Decision d) { return d.storage == decision.storage; });
    if (rival != all.end()) {
      if (rival->units >= decision.units) continue;
      all.erase(rival);
    }
    all.push_back(decision);
  }
  return all;
}

/// The best value for every price, and the contender that attains it.
void choose(const std::vector<Decision>& decisions, const Surface& next, std::size_t wind, const Row& price, Row& best,
            Row& choice) {
  constexpr double tolerance = 1e-9;
  best.fill(-1);  // less than any value
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const double units = decisions[i].units;
    const auto index = static_cast<double>(i);
    const double* W = next.row(decisions[i].storage, wind);
    for (std::size_t p = 0; p < Surface::width; ++p) {
      const double value = price[p] * units + W[p];
      const bool better = value > best[p] + tolerance;
      best[p] = better ? value : best[p];
      choice[p] = better ? index : choice[p];
    }
  }
}

}  // namespace

std::vector<Decision> feasible_decisions(std::size_t storage, std::size_t wind, std::size_t demand) {
  const int R = static_cast<int>(storage);
  const int E = lowest_wind + static_cast<int>(wind);
  const int D = static_cast<int>(demand);
  const int most_out = std::min(R, largest_flow);
  const int most_in = std::min({capacity - R, largest_flow, E});
  std::vector<Decision> all;
  for (int rm = 0; rm <= most_out; ++rm) {
    for (int er = 0; er <= most_in; ++er) {
      for (int rd = 0; rd <= std::min(most_out - rm, D); ++rd) {
        for (int md = std::max(0, D - rd - (E - er)); md <= D - rd; ++md) {  // the rest is ed <= E - er
          all.push_back({static_cast<std::uint8_t>(D + rm - md), static_cast<std::uint8_t>(R + er - rd - rm)});
        }
      }
    }
  }
  return all;
}

Policy::Policy(const Processes& processes) : table_(hours * storages * winds * demands * prices) {
  std::vector<std::vector<Decision>> options;
  for (std::size_t r = 0; r < storages; ++r) {
    for (std::size_t e = 0; e < winds; ++e) {
      for (std::size_t d = 0; d < demands; ++d) options.push_back(contenders(feasible_decisions(r, e, d)));
    }
  }
  const Row price = price_values();
  Surface& W = first_;
  Surface V;  // averaged over demand
  for (std::size_t t = horizon; t-- > 0;) {
    for (std::size_t r = 0; r < storages; ++r) {
      for (std::size_t e = 0; e < winds; ++e) {
        double* mean = V.row(r, e);
        std::fill_n(mean, Surface::width, 0.0);
        for (std::size_t d = 0; d < demands; ++d) {
          const auto& decisions = options[(r * winds + e) * demands + d];
          Row best;
          Row choice{};
          choose(decisions, W, e, price, best, choice);
          if (t < hours) {
            Decision* chosen = &table_[(((t * storages + r) * winds + e) * demands + d) * prices];
            for (std::size_t p = 0; p < prices; ++p) chosen[p] = decisions[static_cast<std::size_t>(choice[p])];
          }
          if (t == 0) continue;
          const double probability = processes.demand_probability(t - 1, d);  // of D_t
          for (std::size_t p = 0; p < Surface::width; ++p) mean[p] += probability * best[p];
        }
      }
    }
    if (t > 0) processes.expect(V, W);
  }
}

double Policy::planned_value(const Cell& s) const {
  const Decision d = decision(0, s);
  return s.price_value() * d.units + first_.row(d.storage, s.wind)[s.price];
}

}  // namespace bellwether::energy
