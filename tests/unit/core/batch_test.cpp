#include <bellwether/core/batch.h>

#include <gtest/gtest.h>

#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

std::vector<double> dense(const FeatureRows& rows, std::size_t i) {
  std::vector<double> x(rows.dim, 0.0);
  visit(rows.row(i), [&](auto view) { view.for_each([&](std::size_t j, double v) { x[j] = v; }); });
  return x;
}

TEST(Batch, SliceHoldsTheStepsOfTheWholeFromTheFirstOnInEveryLayout) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const BatchBuffer buffer = Experience{.binary = true,
                                          .off_policy = true,
                                          .state_dependent = true,
                                          .random_discount = true,
                                          .restart_probability = 0.2}
                                   .as(layout);
    const Batch whole = buffer.view();
    const Batch part = whole.slice(50, 100).slice(10, 20);
    ASSERT_EQ(part.size, 20U);
    for (std::size_t t = 0; t < part.size; ++t) {
      EXPECT_EQ(dense(part.x, t), dense(whole.x, t + 60));
      EXPECT_EQ(dense(part.x_next, t), dense(whole.x_next, t + 60));
      EXPECT_EQ(part.reward[t], whole.reward[t + 60]);
      EXPECT_EQ(part.discount[t], whole.discount[t + 60]);
      EXPECT_EQ(part.rho[t], whole.rho[t + 60]);
      EXPECT_EQ(part.pi[t], whole.pi[t + 60]);
      EXPECT_EQ(part.interest[t], whole.interest[t + 60]);
      EXPECT_EQ(part.lambda[t], whole.lambda[t + 60]);
      EXPECT_EQ(part.restart[t], whole.restart[t + 60]);
    }
  }
}

TEST(Batch, SliceKeepsArraysThatAreNotGivenNull) {
  const BatchBuffer buffer = Experience{}.as(Layout::dense);
  Batch batch = buffer.view();
  batch.rho = batch.pi = batch.interest = batch.lambda = nullptr;
  batch.restart = nullptr;
  const Batch part = batch.slice(3, 5);
  EXPECT_EQ(part.reward, batch.reward + 3);
  EXPECT_EQ(part.discount, batch.discount + 3);
  EXPECT_EQ(part.rho, nullptr);
  EXPECT_EQ(part.pi, nullptr);
  EXPECT_EQ(part.interest, nullptr);
  EXPECT_EQ(part.lambda, nullptr);
  EXPECT_EQ(part.restart, nullptr);
}

TEST(BatchBuffer, AStepThatSaysNothingElseIsOnPolicyOfInterestOneAndEndsItsEpisode) {
  BatchBuffer buffer(Layout::dense, 1);
  buffer.x().add_dense();
  buffer.add({.reward = 2});
  buffer.x().add_dense();
  const Batch batch = buffer.view();
  EXPECT_EQ(batch.size, 1U);
  EXPECT_EQ(batch.reward[0], 2);
  EXPECT_EQ(batch.discount[0], 0);
  EXPECT_EQ(batch.rho[0], 1);
  EXPECT_EQ(batch.pi[0], 1);
  EXPECT_EQ(batch.interest[0], 1);
  EXPECT_EQ(batch.lambda[0], 1);
  EXPECT_EQ(batch.restart[0], 0);
}

TEST(BatchBuffer, TheNextStateOfAStepIsTheStateOfTheFollowingOne) {
  const BatchBuffer buffer = Experience{}.as(Layout::sparse);
  const Batch batch = buffer.view();
  for (std::size_t t = 0; t + 1 < batch.size; ++t) EXPECT_EQ(dense(batch.x_next, t), dense(batch.x, t + 1));
}

TEST(BatchBuffer, ContinuesFromTheLastStateWhenItKeepsNothingElse) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    BatchBuffer buffer = Experience{.steps = 10, .binary = true}.as(layout);
    const auto last = dense(buffer.view().x_next, 9);
    buffer.keep_last_state();
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_EQ(buffer.view().size, 0U);
    EXPECT_EQ(buffer.x().rows(), 1U);
    EXPECT_EQ(dense(buffer.x().view(), 0), last);
  }
}

}  // namespace
}  // namespace bellwether
