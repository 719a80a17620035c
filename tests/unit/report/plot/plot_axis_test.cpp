#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/report/plot/plot_axis.h>

namespace bellwether {
namespace {

std::vector<std::string> labels(const PlotAxis& axis) {
  std::vector<std::string> all;
  for (const PlotTick& tick : axis.ticks) {
    if (!tick.text.empty()) all.push_back(tick.power.empty() ? tick.text : tick.text + "^" + tick.power);
  }
  return all;
}

TEST(PlotAxis, PlacesValuesByDifferenceOrByFactor) {
  const PlotAxis linear = linear_axis(10, 30, 5);
  EXPECT_DOUBLE_EQ(linear.position(10), 0);
  EXPECT_DOUBLE_EQ(linear.position(15), 0.25);
  EXPECT_DOUBLE_EQ(linear.position(50), 2);
  const PlotAxis log = log_axis(0.01, 100, 5);
  EXPECT_DOUBLE_EQ(log.position(0.01), 0);
  EXPECT_DOUBLE_EQ(log.position(0.1), 0.25);
  EXPECT_DOUBLE_EQ(log.position(10000), 1.5);
  EXPECT_EQ(log.position(0), -infinity);
  EXPECT_EQ(log.position(-1), -infinity);
}

TEST(PlotAxis, LabelsRoundValues) {
  EXPECT_EQ(labels(linear_axis(0, 1000, 6)), (std::vector<std::string>{"0", "200", "400", "600", "800", "1000"}));
  EXPECT_EQ(labels(linear_axis(-0.02, 1.02, 6)), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels(log_axis(0.009, 1.1, 8)),
            (std::vector<std::string>{"0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"}));
  EXPECT_EQ(labels(log_axis(0.3, 0.9, 8)), (std::vector<std::string>{"0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}));
  EXPECT_EQ(labels(log_axis(0.061, 0.095, 8)),
            (std::vector<std::string>{"0.065", "0.07", "0.075", "0.08", "0.085", "0.09", "0.095"}));
  EXPECT_EQ(labels(log_axis(1e-5, 1, 8)),
            (std::vector<std::string>{"10^-5", "10^-4", "10^-3", "10^-2", "10^-1", "10^0"}));
  EXPECT_EQ(labels(log_axis(1e-12, 1, 5)), (std::vector<std::string>{"10^-12", "10^-9", "10^-6", "10^-3", "10^0"}));
  EXPECT_EQ(labels(linear_axis(0, 2e6, 3)), (std::vector<std::string>{"0", "10^6", "2\u00b710^6"}));
}

TEST(PlotAxis, HasAFewLabelsWithinItsRangeWhateverThatIs) {
  for (const double low : {1e-300, 1e-20, 1e-5, 0.02, 0.97, 3.0, 1e4, 1e16, 1e250}) {
    for (const double factor : {1.0, 1.0000001, 1.001, 1.3, 2.9, 7.0, 55.0, 1e4, 1e9, 1e40}) {
      for (const std::size_t most : {3U, 6U, 8U}) {
        for (const PlotAxis& axis : {log_axis(low, factor * low, most), linear_axis(low, factor * low, most)}) {
          EXPECT_LT(axis.low, axis.high);
          const std::size_t n = labels(axis).size();
          EXPECT_GE(n, 1U) << low << " " << factor << " " << most;
          EXPECT_LE(n, most + 1) << low << " " << factor << " " << most;
          for (const PlotTick& tick : axis.ticks) {
            EXPECT_GE(axis.position(tick.value), -1e-6);
            EXPECT_LE(axis.position(tick.value), 1 + 1e-6);
          }
        }
      }
    }
  }
}

TEST(PlotAxis, IsUsableWhenAllValuesAreEqualOrThereIsNoLogarithm) {
  for (const PlotAxis& axis : {linear_axis(0, 0, 5), linear_axis(-3, -3, 5), log_axis(2, 2, 5), log_axis(0, 5, 5),
                               log_axis(0, 0, 5), log_axis(-1, -2, 5)}) {
    EXPECT_LT(axis.low, axis.high);
    EXPECT_TRUE(axis.kind == Axis::linear || axis.low > 0);
  }
  EXPECT_NEAR(linear_axis(7, 7, 5).position(7), 0.5, 1e-12);
  EXPECT_NEAR(log_axis(7, 7, 5).position(7), 0.5, 1e-12);
}

TEST(PlotAxis, NamesAreEvenlySpaced) {
  const std::vector<std::string> names{"accumulating", "replacing"};
  const PlotAxis axis = named_axis(names);
  EXPECT_EQ(labels(axis), names);
  EXPECT_DOUBLE_EQ(axis.position(0), 0.25);
  EXPECT_DOUBLE_EQ(axis.position(1), 0.75);
  EXPECT_LT(named_axis({}).low, named_axis({}).high);
}

}  // namespace
}  // namespace bellwether
