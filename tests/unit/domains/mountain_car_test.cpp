#include <bellwether/domains/mountain_car.h>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/experiment/stream.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

/// Steps until the goal from (position, 0).
int length_from(const MountainCar& car, double position, Rng& rng) {
  std::array<double, 2> state{position, 0};
  int steps = 1;
  while (car.step(rng, state).discount > 0) ++steps;
  return steps;
}

TEST(MountainCar, MovesAsPublished) {
  const MountainCar car({.randomness = 0});
  Rng rng(1);
  std::array<double, 2> state{-0.5, 0};
  for (const double x : {-0.499176843004169, -0.497536686679353, -0.495091796932347}) {
    const Outcome outcome = car.step(rng, state);
    EXPECT_NEAR(state[0], x, 1e-15);
    EXPECT_EQ(outcome.reward, -1);
    EXPECT_EQ(outcome.discount, 1);
    EXPECT_EQ(car.actions()[static_cast<std::size_t>(outcome.action)], "forward");
  }
}

TEST(MountainCar, NeedsTheKnownNumberOfStepsWithoutRandomness) {
  const MountainCar car({.randomness = 0});
  Rng rng(1);
  EXPECT_EQ(length_from(car, -0.60, rng), 113);
  EXPECT_EQ(length_from(car, -0.55, rng), 115);
  EXPECT_EQ(length_from(car, -0.50, rng), 124);
  EXPECT_EQ(length_from(car, -0.45, rng), 121);
  EXPECT_EQ(length_from(car, -0.40, rng), 122);
  for (const double x : {-0.6, -0.5, -0.4}) {
    EXPECT_EQ(car.true_value(std::array{x, 0.0}), -length_from(car, x, rng));
  }
}

TEST(MountainCar, HasTheKnownMeanEpisodes) {
  const auto expect_mean = [](double randomness, double expected) {
    const MountainCar car({.randomness = randomness});
    Rng rng(3);
    constexpr int episodes = 4000;
    double sum = 0;
    double squares = 0;
    std::array<double, 2> state{};
    for (int i = 0; i < episodes; ++i) {
      car.start(rng, state);
      const double length = length_from(car, state[0], rng);
      sum += length;
      squares += length * length;
    }
    const double mean = sum / episodes;
    const double deviation = std::sqrt(squares / episodes - mean * mean);
    // The published means are of 2000 episodes; 0.05 for their last digit.
    EXPECT_NEAR(mean, expected, 4 * deviation * std::sqrt(1.0 / episodes + 1.0 / 2000) + 0.05) << randomness;
  };
  expect_mean(0, 119.4);
  expect_mean(0.1, 125.8);
  expect_mean(0.2, 146.3);
}

TEST(MountainCar, StartsStandingInTheValley) {
  const MountainCar car({});
  Rng rng(1);
  std::array<double, 2> state{};
  for (int i = 0; i < 1000; ++i) {
    car.start(rng, state);
    EXPECT_GE(state[0], -0.6);
    EXPECT_LT(state[0], -0.4);
    EXPECT_EQ(state[1], 0);
  }
}

TEST(MountainCar, StandsStillAtTheWall) {
  const MountainCar car({.randomness = 0});
  Rng rng(1);
  std::array<double, 2> state{-1.19, -0.07};
  EXPECT_EQ(car.step(rng, state).discount, 1);
  EXPECT_EQ(state, (std::array{-1.2, 0.0}));
}

TEST(MountainCar, TakesEveryActionAsOftenAsItsPoliciesSay) {
  const MountainCar car({.randomness = 0.2, .behaviour = 0.5});
  Rng rng(1);
  std::array<double, 3> counts{};
  std::array<double, 2> state{};
  constexpr int steps = 100000;
  for (int t = 0; t < steps; ++t) {
    state = {-0.8, -0.01};  // rolling back: reverse goes with the motion
    const Outcome o = car.step(rng, state);
    const double pi = o.action == 0 ? 1 - 0.4 / 3 : 0.2 / 3;
    const double mu = o.action == 0 ? 1 - 1.0 / 3 : 0.5 / 3;
    EXPECT_DOUBLE_EQ(o.pi, pi);
    EXPECT_DOUBLE_EQ(o.rho, pi / mu);
    ++counts[static_cast<std::size_t>(o.action)];
  }
  const double tolerance = 4 * std::sqrt(0.25 / steps);
  EXPECT_NEAR(counts[0] / steps, 2.0 / 3, tolerance);
  EXPECT_NEAR(counts[1] / steps, 1.0 / 6, tolerance);
  EXPECT_NEAR(counts[2] / steps, 1.0 / 6, tolerance);
}

TEST(MountainCar, OnPolicyIsTheTargetActing) {
  EXPECT_EQ(MountainCar({}).on_policy(), nullptr);
  const auto acting = MountainCar({.randomness = 0.1, .behaviour = 0.4}).on_policy();
  ASSERT_NE(acting, nullptr);
  EXPECT_EQ(acting->settings(), MountainCar({.randomness = 0.1}).settings());
}

TEST(MountainCar, KnowsItsValuesOnlyWithoutRandomness) {
  EXPECT_FALSE(MountainCar({.randomness = 0.1}).true_value(std::array{-0.5, 0.0}).has_value());
  EXPECT_TRUE(MountainCar({.randomness = 0, .behaviour = 0.3}).true_value(std::array{-0.5, 0.0}).has_value());
}

TEST(MountainCar, HasTenActiveFeaturesOfAThousandAndTwentyFour) {
  const MountainCar car({});
  Stream stream(car, car.features(), 1);
  EXPECT_EQ(stream.dim(), 1024U);
  const Batch batch = stream.next(2000);
  for (std::size_t t = 0; t < batch.size; ++t) EXPECT_EQ(batch.x.length(t), 10U);
  check_rows(batch.x, "mountain car");
}

TEST(MountainCar, RejectsABehaviourThatNeverTriesWhatTheTargetDoes) {
  EXPECT_EQ(rejection([] { MountainCar car({.randomness = 0.2, .behaviour = 0}); }),
            "mountain_car: behaviour = 0 never takes the random actions of randomness = 0.2");
}

}  // namespace
}  // namespace bellwether
