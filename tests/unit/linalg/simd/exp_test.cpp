#include <bellwether/linalg/simd/exp.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

TEST(Exp, DiffersFromTheExponentialFunctionByLessThan1e15Relative) {
  Rng rng(3);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double range = i % 3 == 0 ? 1 : i % 3 == 1 ? 30 : 708;
    const double x = range * (2 * rng.uniform() - 1);
    const long double exact = std::exp(static_cast<long double>(x));
    worst = std::max(worst, static_cast<double>(std::abs((portable_exp(x) - exact) / exact)));
  }
  EXPECT_LT(worst, 1e-15);
}

TEST(Exp, IsExactAtZeroAndSaturatesOutsideItsRange) {
  EXPECT_EQ(portable_exp(0.0), 1.0);
  EXPECT_EQ(portable_exp(-0.0), 1.0);
  EXPECT_EQ(portable_exp(-709.0), 0.0);
  EXPECT_EQ(portable_exp(-1e300), 0.0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_EQ(portable_exp(710.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(portable_exp(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(portable_exp(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NEAR(portable_exp(709.6) / std::exp(709.6), 1, 1e-15);
  EXPECT_NEAR(portable_exp(-707.9) / std::exp(-707.9), 1, 1e-15);
}

TEST(Exp, TheVectorLoopGivesTheBitsOfTheScalarFunction) {
  for (std::size_t n = 0; n <= 70; ++n) {
    std::vector<double> y(n);
    for (std::size_t j = 0; j < n; ++j) y[j] = 50 * std::sin(static_cast<double>(n * 71 + j));
    std::vector<double> expected = y;
    for (double& v : expected) v = portable_exp(v);
    kernels::exp(y.data(), n);
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(y[j]), std::bit_cast<std::uint64_t>(expected[j]));
    }
  }
}

}  // namespace
}  // namespace bellwether
