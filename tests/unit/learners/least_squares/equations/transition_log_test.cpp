#include <bellwether/learners/least_squares/equations/transition_log.h>

#include <gtest/gtest.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

template <class X>
void fill(TransitionLog& log, const Batch& batch, double lambda) {
  double g = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const double rho = batch.rho[t];
    log.append(batch.x.as<X>(t), batch.x_next.as<X>(t), {batch.reward[t], batch.discount[t], rho * g * lambda, rho},
               nullptr);
    g = batch.discount[t];
  }
}

TEST(TransitionLog, StoresAStateOnceAndABinaryFeatureInFourBytes) {
  const auto buffer =
      Experience{.dim = 50, .steps = 100, .active = 8, .binary = true, .end_probability = 0}.as(Layout::binary);
  TransitionLog log(50, 10'000, false);
  fill<BinaryView>(log, buffer.view(), 0.5);
  EXPECT_EQ(log.numbers(), 100 * 6 + 101 * (1 + 8 / 2));
  TransitionLog sparse(50, 10'000, false);
  const auto ones =
      Experience{.dim = 50, .steps = 100, .active = 8, .binary = true, .end_probability = 0}.as(Layout::sparse);
  fill<SparseView>(sparse, ones.view(), 0.5);
  EXPECT_EQ(sparse.numbers(), log.numbers());
}

TEST(TransitionLog, StoresAStateThatDoesNotContinueTheLastStep) {
  const std::uint32_t indices[] = {3, 1, 2};
  TransitionLog log(5, 1000, false);
  log.append(BinaryView{indices, 1}, BinaryView{indices + 1, 1}, {1, 0.9, 0, 1}, nullptr);
  log.append(BinaryView{indices + 2, 1}, BinaryView{indices, 1}, {1, 0.9, 0, 1}, nullptr);
  log.append(BinaryView{indices, 1}, BinaryView{indices, 1}, {1, 0.0, 0, 1}, nullptr);
  EXPECT_EQ(log.numbers(), 3 * 6 + 4 * 2U);
  EXPECT_EQ(log.features(), 3U);
  EXPECT_EQ(log.feature(0), 3U);
  EXPECT_EQ(log.features_of(1), 2U);
}

TEST(TransitionLog, NumbersFeaturesAsTheyAreFirstSeen) {
  const std::uint32_t indices[] = {900'000, 5};
  const double values[] = {2, 3};
  TransitionLog log(1'000'000, 1000, false);
  log.append(SparseView{indices, values, 2}, SparseView{indices, values, 1}, {1, 0.5, 0, 1}, nullptr);
  EXPECT_EQ(log.features(), 2U);
  EXPECT_EQ(log.feature(0), 900'000U);
  EXPECT_EQ(log.feature(1), 5U);
}

TEST(TransitionLog, StaysFullOnceItIs) {
  const std::uint32_t indices[] = {0, 1, 2, 3};
  TransitionLog log(4, 20, false);
  EXPECT_TRUE(log.append(BinaryView{indices, 2}, BinaryView{indices, 4}, {1, 0.5, 0, 1}, nullptr));
  EXPECT_FALSE(log.append(BinaryView{indices + 1, 3}, BinaryView{indices, 4}, {1, 0.5, 0, 1}, nullptr));
  EXPECT_FALSE(log.append(BinaryView{indices, 0}, BinaryView{indices, 0}, {1, 0, 0, 1}, nullptr));
  EXPECT_TRUE(log.full());
  EXPECT_EQ(log.size(), 1U);
}

}  // namespace
}  // namespace bellwether
