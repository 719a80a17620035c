#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include <bellwether/domains/energy.h>

/// The energy problem written as plainly as possible, and the domains and values that tests share.
namespace bellwether::testing::energy_textbook {

using energy::Cell;
using energy::Decision;

enum { R, E, P, D, previous, t, size };
using State = std::array<double, size>;
using Distribution = std::map<int, double>;

inline const Energy& literal() {
  static const Energy domain({});
  return domain;
}
inline const Energy& both24() {
  static const Energy domain({.clock = EnergyClock::both24});
  return domain;
}
inline const energy::Values& both24_values() {
  static const energy::Values values = both24().exact_values();
  return values;
}
inline const energy::Values& literal_values() {
  static const energy::Values values = literal().exact_values();
  return values;
}

inline State start(const Domain& domain, Rng& rng) {
  State state{};
  domain.start(rng, state);
  return state;
}

inline Cell cell(double r, double e, double p, double d) {
  const auto index = [](double x) { return static_cast<std::size_t>(x); };
  return {index(r), index(e - 1), index(p - 30), index(d)};
}

inline double value(const energy::Values& values, const State& s) {
  return values(static_cast<std::size_t>(s[t]), cell(s[R], s[E], s[P], s[D]));
}

template <class F>
void for_each_cell(F f) {
  for (std::size_t r = 0; r < 31; ++r) {
    for (std::size_t e = 0; e < 7; ++e) {
      for (std::size_t d = 0; d < 8; ++d) {
        for (std::size_t p = 0; p < 41; ++p) f(Cell{r, e, p, d});
      }
    }
  }
}

// The three processes, by enumeration of all outcomes.

inline Distribution normal(double sd, int radius) {
  Distribution all;
  double total = 0;
  for (int x = -radius; x <= radius; ++x) total += all[x] = std::exp(-x * x / (2 * sd * sd));
  for (auto& [x, p] : all) p /= total;
  return all;
}

inline int demand_base(int k) {
  return static_cast<int>(std::floor(3 - 4 * std::sin(2 * std::numbers::pi * k / 25) + 1e-12));
}

inline Distribution next_price(int from, double jump) {
  static const Distribution changes = normal(2.5, 8);
  static const Distribution jumps = normal(50, 40);
  Distribution all;
  for (const auto& [a, pa] : changes) {
    all[std::clamp(from + a, 30, 70)] += (1 - jump) * pa;
    for (const auto& [j, pj] : jumps) all[std::clamp(from + a + j, 30, 70)] += jump * pa * pj;
  }
  return all;
}

inline Distribution next_demand(int k) {
  Distribution all;
  for (const auto& [e, p] : normal(2, 2)) all[std::clamp(demand_base(k) + e, 0, 7)] += p;
  return all;
}

inline Distribution next_wind(int from) {
  Distribution all;
  for (int u = -1; u <= 1; ++u) all[std::clamp(from + u, 1, 7)] += 1.0 / 3;
  return all;
}

/// Every choice of five flows that the constraints allow, in the order of the published program, slowest first.
inline std::vector<Decision> feasible(int stored, int wind, int demand) {
  std::vector<Decision> all;
  for (int rm = 0; rm <= 5; ++rm) {
    for (int er = 0; er <= 5; ++er) {
      for (int rd = 0; rd <= 5; ++rd) {
        for (int md = 0; md <= 7; ++md) {
          for (int ed = 0; ed <= 7; ++ed) {
            if (ed + rd + md != demand || rd + rm > std::min(stored, 5) || er + ed > wind ||
                er > std::min(30 - stored, 5)) {
              continue;
            }
            all.push_back({static_cast<std::uint8_t>(ed + rd + rm), static_cast<std::uint8_t>(stored + er - rd - rm)});
          }
        }
      }
    }
  }
  return all;
}

}  // namespace bellwether::testing::energy_textbook
