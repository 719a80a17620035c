#include <bellwether/learners/least_squares/transition_log.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

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

constexpr Experience experience{.dim = 7, .steps = 60, .active = 3, .off_policy = true, .end_probability = 0.2};

TEST(TransitionLog, MultipliesByTheMatrixOfItsSteps) {
  const auto buffer = experience.as(Layout::dense);
  const Batch batch = buffer.view();
  TransitionLog log(7, 10'000, false);
  fill<SparseView>(log, experience.as(Layout::sparse).view(), 0.8);
  ASSERT_EQ(log.features(), 7U);
  std::vector<double> v(7);
  Rng rng(3);
  for (double& each : v) each = rng.uniform();
  for (const std::size_t count : {60U, 31U, 1U, 0U}) {
    std::vector<double> expected(7);
    std::vector<double> targets(7);
    std::vector<double> e(7);
    double g = 0;
    for (std::size_t t = 0; t < count; ++t) {
      double d_v = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        const double x = batch.x.values[7 * t + log.feature(i)];
        const double next = batch.x_next.values[7 * t + log.feature(i)];
        d_v += (x - batch.discount[t] * next) * v[i];
        e[i] = batch.rho[t] * (g * 0.8 * e[i] + x);
      }
      for (std::size_t i = 0; i < 7; ++i) {
        expected[i] += e[i] * d_v;
        targets[i] += e[i] * batch.reward[t];
      }
      g = batch.discount[t];
    }
    std::vector<double> out(7);
    log.product(count, v.data(), out.data());
    EXPECT_LE(testing::max_difference(out, expected), 1e-13) << count;
    log.right_side(count, out.data());
    EXPECT_LE(testing::max_difference(out, targets), 1e-13) << count;
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
  const double v[] = {1, 10};
  double out[2];
  log.product(1, v, out);
  EXPECT_EQ(out[0], 2 * (2 + 30 - 0.5 * 2));
  EXPECT_EQ(out[1], 3 * (2 + 30 - 0.5 * 2));
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
