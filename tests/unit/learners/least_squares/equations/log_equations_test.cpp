#include <bellwether/learners/least_squares/equations/log_equations.h>

#include <cmath>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

void append(TransitionLog& log, std::vector<std::uint32_t> x, std::vector<std::uint32_t> next, double reward,
            double discount) {
  log.append(BinaryView{x.data(), x.size()}, BinaryView{next.data(), next.size()}, {reward, discount, 0, 1}, nullptr);
}

TEST(LogEquations, AreSolvedWhereEliminationIsUnsound) {
  // Of a and b, A = [0 -2; -1 3]: without pivoting it has no factors.
  constexpr std::uint32_t a = 1;
  constexpr std::uint32_t b = 0;
  constexpr std::uint32_t features = 50;
  TransitionLog log(features, 10'000, false);
  append(log, {b}, {a}, 1, 1);
  append(log, {a}, {b, a}, 2, 2);
  append(log, {b}, {}, 3, 0);
  for (std::uint32_t j = 2; j < features; ++j) append(log, {j}, {}, j, 0);
  const PreparedLog prepared(log, PreparedLog::Numbering::local_last);
  ASSERT_FALSE(LocalElimination(prepared, 1).sound());
  std::vector<double> w(features);
  const Idr::Result result = LogEquations(log, 1).solve(1e-12, 1000, w);
  EXPECT_LE(result.residual, 1e-12);
  for (std::uint32_t j = 0; j < features; ++j) {
    const double expected = log.feature(j) == a ? -7 : log.feature(j) == b ? -1 : 0.5 * log.feature(j);
    EXPECT_NEAR(w[j], expected, 1e-10 * features) << j;
  }
}

TEST(LogEquations, FormABlockWhenTheDiagonalIsNotEnough) {
  // A chain, one link of which an iteration follows: w_i = (r + w_{i+1}) n / (n + 1), n = episodes.
  constexpr std::uint32_t length = BlockPreconditioner::largest_block + 76;
  constexpr std::size_t episodes = 200;
  TransitionLog log(length, std::size_t{1} << 24U, false);
  for (std::size_t episode = 0; episode < episodes; ++episode) {
    for (std::uint32_t i = 0; i + 1 < length; ++i) append(log, {i}, {i + 1}, 1, 1);
    append(log, {length - 1}, {}, 1, 0);
  }
  std::vector<double> w(length);
  const Idr::Result result = LogEquations(log, 1).solve(1e-10, 2000, w);
  EXPECT_LE(result.residual, 1e-10);
  EXPECT_GT(result.iterations, 300U);
  EXPECT_LT(result.iterations, length / 2);
  double expected = 0;
  for (std::uint32_t i = length; i-- > 0;) {
    expected = (1 + expected) * episodes / (episodes + 1);
    EXPECT_NEAR(w[i], expected, 1e-6 * expected) << i;
  }
}

}  // namespace
}  // namespace bellwether
