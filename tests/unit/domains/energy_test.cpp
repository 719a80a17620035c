#include <bellwether/domains/energy.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/experiment/stream.h>

#include "support/allocations.h"
#include "support/domains/energy_textbook.h"
#include "support/rejection.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using namespace testing::energy_textbook;
using testing::Sample;

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
