#include <bellwether/model/predicted_returns.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/core/support/statistics.h>

namespace bellwether {
namespace {

TEST(PredictedReturns, GroupsAreOfEqualSizeAndHaveTheMeansOfTheirMembers) {
  std::vector<PredictedReturn> all;
  for (std::size_t i = 0; i < 100; ++i) {  // in no order
    const auto value = static_cast<double>(i * 37 % 100);
    all.push_back({value, 2 * value, i});
  }
  const PredictedReturns found = predicted_returns(all, 500);
  EXPECT_EQ(found.after, 500U);
  EXPECT_EQ(found.steps, 100U);
  EXPECT_EQ(found.sample.size(), 100U);
  ASSERT_EQ(found.groups.size(), 10U);
  for (std::size_t g = 0; g < 10; ++g) {
    EXPECT_EQ(found.groups[g].steps, 10U);
    EXPECT_NEAR(found.groups[g].mean_value, 10 * static_cast<double>(g) + 4.5, 1e-12);
    EXPECT_NEAR(found.groups[g].mean_return, 2 * found.groups[g].mean_value, 1e-12);
  }
}

TEST(PredictedReturns, EqualPredictionsAreInOneGroup) {
  std::vector<PredictedReturn> all;
  for (std::size_t i = 0; i < 90; ++i) all.push_back({i < 60 ? 1.0 : 2.0, static_cast<double>(i), i});
  const PredictedReturns found = predicted_returns(all, 0);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[0].steps, 60U);
  EXPECT_EQ(found.groups[1].steps, 30U);
}

TEST(PredictedReturns, IntervalsCountEpisodesNotSteps) {
  // With as many steps in each episode, the interval is that of the mean of the episodes' means.
  Rng rng(1);
  std::vector<PredictedReturn> all;
  std::vector<double> means;
  for (std::size_t episode = 0; episode < 12; ++episode) {
    const double shared = rng.normal();
    double sum = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      all.push_back({1, shared + 0.1 * rng.normal(), episode});
      sum += all.back().outcome;
    }
    means.push_back(sum / 5);
  }
  const PredictedReturns found = predicted_returns(all, 0);
  ASSERT_EQ(found.groups.size(), 1U);
  const Estimate expected = estimate(means);
  EXPECT_EQ(found.groups[0].episodes, 12U);
  EXPECT_NEAR(found.groups[0].mean_return, expected.mean, 1e-12);
  EXPECT_NEAR(*found.groups[0].half_width, expected.half_width, 1e-12);
}

TEST(PredictedReturns, ASingleEpisodeHasNoIntervalAndNoReturnsHaveNoGroups) {
  EXPECT_FALSE(predicted_returns({{1, 2, 0}, {1, 3, 0}}, 0).groups.at(0).half_width);
  EXPECT_TRUE(predicted_returns({}, 0).groups.empty());
}

TEST(PredictedReturns, TheSampleIsSpreadOverAllSteps) {
  std::vector<PredictedReturn> all;
  for (std::size_t i = 0; i < 1000; ++i) all.push_back({static_cast<double>(i), 0, i});
  const PredictedReturns found = predicted_returns(all, 0);
  EXPECT_LE(found.sample.size(), 400U);
  EXPECT_GE(found.sample.size(), 200U);
  EXPECT_GT(found.sample.back().value, 990);
}

}  // namespace
}  // namespace bellwether
