// The exogenous processes, the feasible decisions, and the policy.
#include <bellwether/domains/support/energy_policy.h>

#include <gtest/gtest.h>

#include "support/domains/energy_textbook.h"
#include "support/sample.h"

namespace bellwether {
namespace {

using namespace testing::energy_textbook;
using testing::Sample;

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

}  // namespace
}  // namespace bellwether
