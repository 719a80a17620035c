#include <bellwether/domains/collision.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <bellwether/metrics/exact.h>

#include "support/sample.h"

namespace bellwether {
namespace {

using testing::Sample;

Eigen::MatrixXd rows(const Collision& collision, std::uint64_t seed, std::uint64_t run) {
  return Exact(collision, *collision.features(seed, run)).X();
}

TEST(Collision, ValueIsTheDiscountToTheObstacle) {
  const Collision collision({});
  for (double state = 1; state <= 8; ++state) {
    EXPECT_NEAR(*collision.true_value({&state, 1}), std::pow(0.9, 8 - state), 1e-15);
  }
}

TEST(Collision, BehaviourVisitsTheStatesInWholeThirtyFifths) {
  const auto d = Collision({}).model()->visit_distribution();
  constexpr std::array thirty_fifths{2.0, 4.0, 6.0, 8.0, 8.0, 4.0, 2.0, 1.0};
  for (std::size_t s = 0; s < 8; ++s) EXPECT_NEAR(d[s], thirty_fifths[s] / 35, 1e-15);
}

TEST(Collision, ReturnsWeightedByImportanceEstimateTheValues) {
  const Collision collision({});
  Rng rng(1);
  for (double from = 1; from <= 8; ++from) {
    Sample returns;
    for (int episode = 0; episode < 20000; ++episode) {
      double state = from;
      double weight = 1;
      double total = 0;
      double discount = 1;
      for (int t = 0; discount > 0; ++t) {
        ASSERT_LT(t, 8) << "an episode does not end";
        const Outcome outcome = collision.step(rng, {&state, 1});
        weight *= outcome.rho;
        total += weight * outcome.reward;
        discount = outcome.discount;
        weight *= discount;
      }
      returns.add(total);
    }
    EXPECT_NEAR(returns.mean(), *collision.true_value({&from, 1}), 4 * returns.standard_error()) << "state " << from;
  }
}

TEST(Collision, StartsInTheFirstFourStatesEquallyOften) {
  const Collision collision({});
  Rng rng(2);
  std::array<int, 4> count{};
  constexpr int n = 8000;
  for (int i = 0; i < n; ++i) {
    double state = 0;
    collision.start(rng, {&state, 1});
    ++count.at(static_cast<std::size_t>(state) - 1);
  }
  for (const int c : count) EXPECT_NEAR(c, n / 4.0, 4 * std::sqrt(n * 3 / 16.0));
}

TEST(Collision, ThreeOfSixFeaturesAreOnInEveryStateOfEveryRun) {
  const Collision collision({});
  for (std::uint64_t run = 0; run < 50; ++run) {
    const Eigen::MatrixXd X = rows(collision, 1, run);
    ASSERT_EQ(X.cols(), 6);
    EXPECT_TRUE(((X.array() == 0) || (X.array() == 1)).all());
    EXPECT_TRUE((X.rowwise().sum().array() == 3).all());
  }
}

TEST(Collision, FeaturesAreAFunctionOfSeedAndRun) {
  const Collision collision({});
  EXPECT_EQ(rows(collision, 1, 2), rows(Collision({}), 1, 2));
  EXPECT_NE(rows(collision, 1, 2), rows(collision, 1, 3));
  EXPECT_NE(rows(collision, 1, 2), rows(collision, 2, 2));
}

TEST(Collision, EveryOneOfTheTwentyRowsIsDrawnEquallyOftenAndStatesAreIndependent) {
  const Collision collision({});
  std::array<int, 64> count{};
  int distinct = 0;
  constexpr int runs = 2000;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Eigen::MatrixXd X = rows(collision, 1, run);
    std::set<int> codes;
    for (int s = 0; s < 8; ++s) {
      int code = 0;
      for (int j = 0; j < 6; ++j) code = 2 * code + static_cast<int>(X(s, j));
      ++count.at(static_cast<std::size_t>(code));
      codes.insert(code);
    }
    distinct += codes.size() == 8 ? 1 : 0;
  }
  EXPECT_EQ(std::count(count.begin(), count.end(), 0), 64 - 20);
  const double expected = 8 * runs / 20.0;
  for (const int c : count) {
    if (c > 0) {
      EXPECT_NEAR(c, expected, 4.5 * std::sqrt(expected * 19 / 20));
    }
  }
  // Eight independent draws of twenty all differ with probability 20!/(12! 20^8) = 0.198.
  EXPECT_NEAR(distinct, 0.198 * runs, 4 * std::sqrt(runs * 0.198 * 0.802));
}

TEST(Collision, WithTheTargetActingIsADriveIntoTheObstacle) {
  const Collision collision({});
  const auto drive = collision.on_policy();
  ASSERT_NE(drive, nullptr);
  EXPECT_EQ(drive->model()->arcs.size(), 8U);
  Rng rng(1);
  for (double from = 1; from <= 8; ++from) {
    double state = from;
    double weight = 1;
    double total = 0;
    while (weight > 0) {
      const Outcome o = drive->step(rng, {&state, 1});
      EXPECT_EQ(o.rho, 1);
      total += weight * o.reward;
      weight *= o.discount;
    }
    EXPECT_NEAR(total, std::pow(0.9, 8 - from), 1e-15);
    EXPECT_NEAR(*drive->true_value({&from, 1}), total, 1e-15);
  }
}

}  // namespace
}  // namespace bellwether
