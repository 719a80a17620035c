#include <bellwether/metrics/effective_samples.h>

#include <gtest/gtest.h>

#include <bellwether/learners/td/td.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

TEST(EffectiveSampleSize, IsTheSquaredSumOverTheSumOfSquares) {
  EXPECT_DOUBLE_EQ(effective_sample_size(std::vector<double>{2, 0, 2, 0}), 2);
  EXPECT_DOUBLE_EQ(effective_sample_size(std::vector<double>{1, 2, 3}), 36.0 / 14);
}

TEST(EffectiveSampleSize, IsTheNumberOfEqualRatiosWhateverTheirSize) {
  EXPECT_DOUBLE_EQ(effective_sample_size(std::vector<double>{1, 1, 1}), 3);
  EXPECT_DOUBLE_EQ(effective_sample_size(std::vector<double>{0.1, 0.1, 0.1}), 3);
}

TEST(EffectiveSampleSize, IsZeroWhereNothingCounts) {
  EXPECT_EQ(effective_sample_size({}), 0);
  EXPECT_EQ(effective_sample_size(std::vector<double>{0, 0}), 0);
}

TEST(EffectiveSamples, CountsTheStepsObservedHoweverTheyAreCut) {
  const auto experience = Experience{.steps = 100, .off_policy = true}.as(Layout::dense);
  const Batch batch = experience.view();
  const TD learner(batch.dim(), {});
  EffectiveSamples measure;
  EXPECT_EQ(measure(learner), 0);
  measure.observe(batch.slice(0, 30));
  EXPECT_DOUBLE_EQ(measure(learner), effective_sample_size({batch.rho, 30}));
  measure.observe(batch.slice(30, 70));
  EXPECT_DOUBLE_EQ(measure(learner), effective_sample_size({batch.rho, 100}));
  EXPECT_LT(measure(learner), 100);
}

TEST(EffectiveSamples, OfABatchWithoutRatiosIsItsSize) {
  const auto experience = Experience{.steps = 100, .off_policy = true}.as(Layout::dense);
  Batch batch = experience.view();
  batch.rho = nullptr;
  EffectiveSamples measure;
  measure.observe(batch);
  EXPECT_EQ(measure.count(), 100);
}

}  // namespace
}  // namespace bellwether
