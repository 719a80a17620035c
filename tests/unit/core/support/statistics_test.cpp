#include <bellwether/core/support/statistics.h>

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(Statistics, StudentsQuantilesAgreeWithTables) {
  const std::array<std::pair<std::size_t, double>, 8> table{
      {{1, 12.7062}, {2, 4.3027}, {3, 3.1824}, {4, 2.7764}, {9, 2.2622}, {29, 2.0452}, {99, 1.9842}, {100000, 1.9600}}};
  for (const auto& [degrees, quantile] : table) EXPECT_NEAR(student_t_95(degrees), quantile, 5e-5) << degrees;
}

TEST(Statistics, EstimateIsTheTextbookInterval) {
  const std::array<double, 4> sample{1, 2, 3, 6};
  const Estimate e = estimate(sample);
  EXPECT_DOUBLE_EQ(e.mean, 3);
  EXPECT_EQ(e.runs, 4U);
  EXPECT_NEAR(e.half_width, 3.1824 * std::sqrt(14.0 / 3 / 4), 1e-4);
}

TEST(Statistics, OneRunSaysNothingAboutItsSpread) {
  const std::array<double, 1> sample{5};
  EXPECT_EQ(estimate(sample).mean, 5);
  EXPECT_EQ(estimate(sample).half_width, std::numeric_limits<double>::infinity());
  EXPECT_EQ(estimate({}).runs, 0U);
}

}  // namespace
}  // namespace bellwether
