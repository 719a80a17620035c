#include <bellwether/domains/energy.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/experiment/stream.h>

#include "support/allocations.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using energy::Cell;
using energy::Decision;
using testing::Sample;

enum { R, E, P, D, previous, t, size };
using State = std::array<double, size>;
using Distribution = std::map<int, double>;

const Energy& literal() {
  static const Energy domain({});
  return domain;
}
const Energy& both24() {
  static const Energy domain({.clock = EnergyClock::both24});
  return domain;
}
const energy::Values& both24_values() {
  static const energy::Values values = both24().exact_values();
  return values;
}
const energy::Values& literal_values() {
  static const energy::Values values = literal().exact_values();
  return values;
}

State start(const Domain& domain, Rng& rng) {
  State state{};
  domain.start(rng, state);
  return state;
}

Cell cell(double r, double e, double p, double d) {
  const auto index = [](double x) { return static_cast<std::size_t>(x); };
  return {index(r), index(e - 1), index(p - 30), index(d)};
}

double value(const energy::Values& values, const State& s) {
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

// The three processes again, by enumeration of everything that may happen.

Distribution normal(double sd, int radius) {
  Distribution all;
  double total = 0;
  for (int x = -radius; x <= radius; ++x) total += all[x] = std::exp(-x * x / (2 * sd * sd));
  for (auto& [x, p] : all) p /= total;
  return all;
}

int demand_base(int k) { return static_cast<int>(std::floor(3 - 4 * std::sin(2 * std::numbers::pi * k / 25) + 1e-12)); }

Distribution next_price(int from, double jump) {
  static const Distribution changes = normal(2.5, 8);
  static const Distribution jumps = normal(50, 40);
  Distribution all;
  for (const auto& [a, pa] : changes) {
    all[std::clamp(from + a, 30, 70)] += (1 - jump) * pa;
    for (const auto& [j, pj] : jumps) all[std::clamp(from + a + j, 30, 70)] += jump * pa * pj;
  }
  return all;
}

Distribution next_demand(int k) {
  Distribution all;
  for (const auto& [e, p] : normal(2, 2)) all[std::clamp(demand_base(k) + e, 0, 7)] += p;
  return all;
}

Distribution next_wind(int from) {
  Distribution all;
  for (int u = -1; u <= 1; ++u) all[std::clamp(from + u, 1, 7)] += 1.0 / 3;
  return all;
}

/// Every choice of five flows that the constraints allow, in the order of the published program, slowest first.
std::vector<Decision> feasible(int stored, int wind, int demand) {
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

TEST(Energy, ItsFiniteProblemHasThePublishedOptimum) {
  const auto optimum = [](const Energy& domain) { return domain.policy().planned_value(cell(0, 1, 30, 0)); };
  EXPECT_NEAR(optimum(literal()), 3745.5839, 1e-4);
  EXPECT_NEAR(optimum(Energy({.jump = 0.031})), 2611.80, 5e-3);
}

TEST(Energy, AStateHas165DecisionsOnAverageAndAtMost623) {
  std::size_t sum = 0;
  std::size_t most = 0;
  for (std::size_t r = 0; r < 31; ++r) {
    for (std::size_t e = 0; e < 7; ++e) {
      for (std::size_t d = 0; d < 8; ++d) {
        const auto decisions = energy::feasible_decisions(r, e, d);
        ASSERT_EQ(decisions, feasible(static_cast<int>(r), static_cast<int>(e) + 1, static_cast<int>(d)));
        sum += decisions.size();
        most = std::max(most, decisions.size());
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(sum) / (31 * 7 * 8), 165.42, 0.005);
  EXPECT_EQ(most, 623U);
}

TEST(Energy, DemandFollowsTheFloorOfASine) {
  for (int k = 1; k <= 25; ++k) {
    EXPECT_EQ(energy::Processes::demand_base[static_cast<std::size_t>(k) - 1], demand_base(k)) << "k = " << k;
    auto expected = next_demand(k);
    for (int d = 0; d < 8; ++d) {
      EXPECT_NEAR(
          literal().processes().demand_probability(static_cast<std::size_t>(k) - 1, static_cast<std::size_t>(d)),
          expected[d], 1e-15);
    }
  }
  const auto e = normal(2, 2);
  EXPECT_NEAR(e.at(-2), 0.15246914, 5e-9);
  EXPECT_NEAR(e.at(1), 0.2218413, 5e-9);
  EXPECT_NEAR(e.at(0), 0.25137912, 5e-9);
}

TEST(Energy, PriceHasThePublishedProgramsProbabilities) {
  const auto probability = [](std::size_t from, std::size_t to) {
    return literal().processes().price_probability(from - 30, to - 30);
  };
  EXPECT_NEAR(probability(30, 30), 0.509108, 5e-7);
  EXPECT_NEAR(probability(30, 70), 0.015372, 5e-7);
  EXPECT_NEAR(probability(50, 30), 0.232197, 5e-7);
  EXPECT_NEAR(probability(50, 70), 0.232197, 5e-7);
  EXPECT_NEAR(probability(50, 50), 0.018216, 5e-7);
  for (std::size_t from = 30; from <= 70; ++from) {
    auto expected = next_price(static_cast<int>(from), 0.969);
    for (std::size_t to = 30; to <= 70; ++to) {
      EXPECT_NEAR(probability(from, to), expected[static_cast<int>(to)], 1e-15);
    }
  }
}

TEST(Energy, OutcomesOccurAsOftenAsTheirProbabilitiesSayAndImpossibleOnesNever) {
  constexpr int n = 10000;
  const auto expect_drawn = [](auto draw, Distribution expected, const char* what) {
    Distribution seen;
    for (int i = 0; i < n; ++i) seen[draw((i + 0.5) / n)] += 1.0 / n;
    for (const auto& [x, share] : seen) EXPECT_NEAR(share, expected[x], 1.01 / n) << what << ' ' << x;
    EXPECT_GT(expected[draw(0.0)], 0) << what;
    EXPECT_GT(expected[draw(1 - 0x1p-53)], 0) << what;
  };
  for (const double jump : {0.0, 0.031, 0.969, 1.0}) {
    const energy::Processes processes(jump);
    for (int p = 30; p <= 70; ++p) {
      const auto draw = [&](double u) {
        return 30 + static_cast<int>(processes.next_price(static_cast<std::size_t>(p - 30), u));
      };
      expect_drawn(draw, next_price(p, jump), "price");
    }
  }
  const auto& processes = literal().processes();
  for (int e = 1; e <= 7; ++e) {
    const auto draw = [&](double u) {
      return 1 + static_cast<int>(processes.next_wind(static_cast<std::size_t>(e - 1), u));
    };
    expect_drawn(draw, next_wind(e), "wind");
  }
  for (int k = 1; k <= 25; ++k) {
    const auto draw = [&](double u) {
      return static_cast<int>(processes.next_demand(static_cast<std::size_t>(k - 1), u));
    };
    expect_drawn(draw, next_demand(k), "demand");
  }
}

/// W(R', E, P) = E[V(R', E', P', D')], one process after the other.
class Expectation {
 public:
  Expectation() {
    for (int p = 30; p <= 70; ++p) price_.push_back(next_price(p, 0.969));
  }

  /// `V` of a cell has the index of for_each_cell.
  std::vector<double> operator()(const std::vector<double>& V, int k) const {
    std::vector<double> mean(31 * 7 * 41, 0.0);
    for (const auto& [d, p] : next_demand(k)) {
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += p * V[(i / 41 * 8 + static_cast<std::size_t>(d)) * 41 + i % 41];
      }
    }
    std::vector<double> W(mean.size(), 0.0);
    for (std::size_t i = 0; i < W.size(); ++i) {
      const std::size_t r = i / (7 * 41);
      for (const auto& [e, pe] : next_wind(static_cast<int>(i / 41 % 7) + 1)) {
        const double* row = &mean[(r * 7 + static_cast<std::size_t>(e - 1)) * 41];
        for (const auto& [p, pp] : price_[i % 41]) W[i] += pe * pp * row[p - 30];
      }
    }
    return W;
  }

 private:
  std::vector<Distribution> price_;
};

TEST(Energy, NoFlowsBeatTheChosenOnesInAnyStateAtAnyHourAndTheFirstOfTheBestIsChosen) {
  std::vector<std::vector<Decision>> lists;
  std::vector<std::set<std::pair<int, int>>> choices;
  for (int i = 0; i < 31 * 7 * 8; ++i) {
    lists.push_back(feasible(i / 56, i / 8 % 7 + 1, i % 8));
    choices.emplace_back();
    for (const Decision d : lists.back()) choices.back().insert({d.units, d.storage});
  }
  const Expectation expectation;
  std::vector<double> W(31 * 7 * 41, 0.0);
  std::vector<double> V(31 * 7 * 8 * 41);
  const auto& policy = literal().policy();
  for (std::size_t hour = 25; hour-- > 0;) {
    std::size_t wrong = 0;
    for_each_cell([&](const Cell& s) {
      const std::size_t red = (s.storage * 7 + s.wind) * 8 + s.demand;
      const double price = 30 + static_cast<double>(s.price);
      const auto worth = [&](int units, int storage) {
        return price * units + W[(static_cast<std::size_t>(storage) * 7 + s.wind) * 41 + s.price];
      };
      double best = -1;
      for (const auto& [units, storage] : choices[red]) best = std::max(best, worth(units, storage));
      V[red * 41 + s.price] = best;
      if (hour == 24) return;  // a row of the plan that is never acted upon
      const Decision chosen = policy.decision(hour, s);
      if (!choices[red].contains({chosen.units, chosen.storage}) || worth(chosen.units, chosen.storage) < best - 2e-9) {
        ++wrong;
      }
      if ((red * 41 + s.price) % 37 != hour) return;
      Decision first{};
      best = -1;
      for (const Decision d : lists[red]) {
        if (worth(d.units, d.storage) <= best + 1e-9) continue;
        best = worth(d.units, d.storage);
        first = d;
      }
      if (!(chosen == first)) ++wrong;
    });
    ASSERT_EQ(wrong, 0U) << "hour " << hour;
    if (hour > 0) W = expectation(V, static_cast<int>(hour));
  }
  std::size_t i = 0;
  for_each_cell([&](const Cell& s) { ASSERT_NEAR(policy.planned_value(s), V[i++], 1e-9); });
}

TEST(Energy, ALongRunHasTheKnownMeans) {
  constexpr int batches = 100;
  constexpr int length = 20000;  // the states of two batches have nothing to do with each other
  Rng rng(1);
  State s = start(literal(), rng);
  std::array<Sample, 6> means;  // reward, share of zero rewards, R, E, P, D
  double least = 1e9;
  double most = 0;
  for (int batch = 0; batch < batches; ++batch) {
    std::array<double, 6> sum{};
    for (int i = 0; i < length; ++i) {
      for (const int variable : {R, E, P, D})
        sum[static_cast<std::size_t>(2 + variable)] += s[static_cast<std::size_t>(variable)];
      const double reward = literal().step(rng, s).reward;
      sum[0] += reward;
      sum[1] += reward == 0 ? 1 : 0;
      least = std::min(least, reward);
      most = std::max(most, reward);
    }
    for (std::size_t i = 0; i < sum.size(); ++i) means[i].add(sum[i] / length);
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 840);
  constexpr std::array expected{212.73, 0.328, 10.7, 4.0, 50.0, 2.82};
  constexpr std::array rounding{0.005, 0.0005, 0.05, 0.0, 0.0, 0.005};  // E and P are symmetric: exact
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_NEAR(means[i].mean(), expected[i], 4 * means[i].standard_error() + rounding[i]) << i;
    EXPECT_LT(means[i].standard_error(), 0.005 * expected[i]) << i;
  }
}

TEST(Energy, ValuesOfAllStatesAndHoursLieInTheKnownRange) {
  const auto expect_range = [](const energy::Values& v, double low, double high) {
    double least = 1e9;
    double most = 0;
    for (std::size_t phase = 0; phase < 600; ++phase) {
      for_each_cell([&](const Cell& s) {
        const double x = v(phase, s);
        least = std::min(least, x);
        most = std::max(most, x);
      });
    }
    EXPECT_NEAR(least, low, 0.5);
    EXPECT_NEAR(most, high, 0.5);
  };
  expect_range(literal_values(), 18664, 24896);
  expect_range(both24_values(), 19670, 25076);
}

/// Values that are wrong by so much violate their equation by up to twice as much.
constexpr double allowed = 2 * energy::Values::tolerance;

/// The largest violation of v(s) = r + discount E[v(s')] over some states, relative to v. What the decision yields is
/// seen in a step; what may follow is enumerated.
double bellman_residual(const Energy& domain, double jump, double discount, double demand_hours,
                        const energy::Values& v) {
  Rng rng(3);
  double largest = 0;
  for (int i = 0; i < 40; ++i) {
    State s{static_cast<double>(rng.below(31)),
            1 + static_cast<double>(rng.below(7)),
            30 + static_cast<double>(rng.below(41)),
            static_cast<double>(rng.below(8)),
            0,
            i == 0 ? 599.0 : static_cast<double>(rng.below(600))};
    State next = s;
    const double reward = domain.step(rng, next).reward;
    double mean = 0;
    for (const auto& [e, pe] : next_wind(static_cast<int>(s[E]))) {
      for (const auto& [p, pp] : next_price(static_cast<int>(s[P]), jump)) {
        for (const auto& [d, pd] : next_demand(static_cast<int>(std::fmod(s[t], demand_hours)) + 1)) {
          const State outcome{next[R], double(e), double(p), double(d), s[D], next[t]};
          mean += pe * pp * pd * value(v, outcome);
        }
      }
    }
    largest = std::max(largest, std::abs(value(v, s) - (reward + discount * mean)) / value(v, s));
  }
  return largest;
}

TEST(Energy, ValuesSolveTheBellmanEquationOverBothClocks) {
  EXPECT_LT(bellman_residual(literal(), 0.969, 0.99, 25, literal_values()), allowed);
  EXPECT_LT(bellman_residual(both24(), 0.969, 0.99, 24, both24_values()), allowed);
}

TEST(Energy, ValuesSolveTheBellmanEquationWhereThePriceCreepsAndTheFutureCountsMost) {
  const Energy creeping({.jump = 0, .discount = 0.9999});
  EXPECT_LT(bellman_residual(creeping, 0, 0.9999, 25, creeping.exact_values()), allowed);
}

TEST(Energy, WithoutAFutureTheValueIsTheReward) {
  const Energy domain({.discount = 0});
  Rng rng(4);
  std::vector<double> states;
  std::vector<double> rewards;
  State s = start(domain, rng);
  for (int i = 0; i < 200; ++i) {
    states.insert(states.end(), s.begin(), s.end());
    rewards.push_back(domain.step(rng, s).reward);
  }
  std::vector<double> values(rewards.size());
  ASSERT_TRUE(domain.true_values(states, values));
  EXPECT_EQ(values, rewards);
}

TEST(Energy, ReturnsOfRolloutsAverageTheTrueValues) {
  constexpr int rollouts = 50;
  constexpr int steps = 800;  // beyond lies 0.03 % of the value, a fiftieth of the standard error
  std::vector<State> states;
  Rng path(5);
  State s = start(literal(), path);
  for (int i = 0; i < 100; ++i) {
    for (int skip = 0; skip < 97; ++skip) literal().step(path, s);
    states.push_back(s);
  }
  Sample z;
  for (std::size_t i = 0; i < states.size(); ++i) {
    Sample returns;
    Rng rng(6, i);
    for (int rollout = 0; rollout < rollouts; ++rollout) {
      State from = states[i];
      double weight = 1;
      double total = 0;
      for (int k = 0; k < steps; ++k) {
        const Outcome o = literal().step(rng, from);
        total += weight * o.reward;
        weight *= o.discount;
      }
      returns.add(total);
    }
    z.add((returns.mean() - value(literal_values(), states[i])) / returns.standard_error());
  }
  EXPECT_NEAR(z.mean(), 0, 4 * z.standard_error());
  EXPECT_NEAR(std::sqrt(z.variance()), 1, 4 / std::sqrt(2.0 * 100));
}

TEST(Energy, TrueValuesAreThoseOfTheirStatesAndDoNotDependOnTheDemandBefore) {
  const auto& domain = literal();
  Rng rng(7);
  State s = start(domain, rng);
  std::vector<double> states;
  std::vector<double> expected;
  for (int i = 0; i < 100; ++i) {
    domain.step(rng, s);
    expected.push_back(value(literal_values(), s));
    states.insert(states.end(), s.begin(), s.end());
    states[states.size() - 2] = static_cast<double>(i % 8);
  }
  std::vector<double> values(100);
  ASSERT_TRUE(domain.true_values(states, values));
  EXPECT_EQ(values, expected);
}

TEST(Energy, TheClockGoesRoundAndDemandAndStorageKeepToIt) {
  for (const Energy* domain : {&literal(), &both24()}) {
    const int demand_hours = domain == &literal() ? 25 : 24;
    EXPECT_TRUE(domain->variables()[t].hidden);
    Rng rng(8);
    State s = start(*domain, rng);
    for (int i = 0; i < 5000; ++i) {
      const State before = s;
      const Outcome o = domain->step(rng, s);
      ASSERT_EQ(s[t], std::fmod(before[t] + 1, 600));
      ASSERT_EQ(s[previous], before[D]);
      ASSERT_LE(std::abs(s[E] - before[E]), 1);
      const int base = demand_base(static_cast<int>(before[t]) % demand_hours + 1);
      ASSERT_GE(s[D], std::clamp(base - 2, 0, 7));
      ASSERT_LE(s[D], std::clamp(base + 2, 0, 7));
      ASSERT_LE(std::abs(s[R] - before[R]), 5);
      ASSERT_EQ(std::fmod(o.reward, before[P]), 0);
      ASSERT_EQ(o.discount, 0.99);
    }
  }
}

TEST(Energy, StartsOneStepAfterAUniformState) {
  Rng rng(9);
  std::array<int, 8> demand{};
  constexpr int n = 8000;
  for (int i = 0; i < n; ++i) {
    const State s = start(literal(), rng);
    ASSERT_EQ(s[t], 1);
    ASSERT_LE(s[R], 10 + 5);
    ASSERT_LE(s[E], 5 + 1);
    ASSERT_LE(s[D], 4);  // base(1) = 2
    ++demand.at(static_cast<std::size_t>(s[previous]));
  }
  for (const int count : demand) EXPECT_NEAR(count, n / 8.0, 4 * std::sqrt(n * 7 / 64.0));
}

TEST(Energy, AStateHas800TilesSomeOfWhichShareAFeature) {
  const auto expect_active = [](const Energy& domain, std::size_t least, double mean) {
    const auto map = domain.features();
    EXPECT_EQ(map->dim(), 8192U);
    EXPECT_EQ(map->max_active(), 800U);
    Rng rng(11);
    State s = start(domain, rng);
    RowBuffer rows(map->layout(), map->dim());
    Sample active;
    for (std::size_t i = 0; i < 500; ++i) {
      map->append(s, rows);
      domain.step(rng, s);
      const std::size_t count = rows.view().as<BinaryView>(i).size;
      ASSERT_GE(count, least);
      ASSERT_LE(count, 800U);
      active.add(static_cast<double>(count));
    }
    EXPECT_NEAR(active.mean(), mean, 2);
  };
  // Of 800 that fall into 8192 places at random, 8192 (1 - (1 - 1/8192)^800) = 762.2 are distinct.
  expect_active(literal(), 720, 762.2);
  expect_active(Energy({.encoding = EnergyEncoding::direct}), 784, 796.3);
}

TEST(Energy, HowARunIsCutIntoBatchesDoesNotMatter) {
  const std::shared_ptr<const FeatureMap> map = literal().features();
  Stream whole(literal(), map, 1, 2);
  Stream pieces(literal(), map, 1, 2);
  const Batch all = whole.next(60);
  std::size_t i = 0;
  for (const std::size_t n : {1U, 7U, 20U, 32U}) {
    const Batch piece = pieces.next(n);
    for (std::size_t j = 0; j < n; ++j, ++i) {
      EXPECT_EQ(piece.reward[j], all.reward[i]);
      const auto a = piece.x_next.as<BinaryView>(j);
      const auto b = all.x_next.as<BinaryView>(i);
      EXPECT_TRUE(std::equal(a.indices, a.indices + a.size, b.indices, b.indices + b.size));
    }
  }
}

TEST(Energy, StepsDoNotAllocate) {
  Rng rng(10);
  State s = start(literal(), rng);
  const auto before = testing::allocations();
  for (int i = 0; i < 1000; ++i) literal().step(rng, s);
  EXPECT_EQ(testing::allocations(), before);
}

TEST(Energy, ADiscountOfOneIsRejected) {
  EXPECT_EQ(testing::rejection([] { Energy domain({.discount = 1}); }), "energy: discount = 1 is outside [0, 0.9999]");
}

}  // namespace
}  // namespace bellwether
