#include <bellwether/metrics/metric.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(Metric, IsAnErrorExceptForEffectiveSamples) {
  for (const Metric metric : {Metric::relative, Metric::rmse, Metric::msbe, Metric::mspbe, Metric::fixed_point}) {
    EXPECT_FALSE(larger_is_better(metric));
  }
  EXPECT_TRUE(larger_is_better(Metric::effective_samples));
  EXPECT_TRUE(larger_is_better(std::string("effective_samples")));
  EXPECT_FALSE(larger_is_better(std::string("rmse")));
  EXPECT_FALSE(larger_is_better(std::string("of a newer version")));
}

TEST(Metric, HasATitleByItsName) {
  EXPECT_EQ(title_of_metric("relative"), "relative error");
  EXPECT_EQ(title_of_metric("rmse"), "rmse");
  EXPECT_EQ(title_of_metric("of a newer version"), "of a newer version");
}

TEST(Metric, HasGrownWhenAnErrorIsAMillionTimesItsStart) {
  EXPECT_TRUE(has_grown(Metric::rmse, 0.5, 0.51e6));
  EXPECT_FALSE(has_grown(Metric::rmse, 0.5, 0.49e6));
  EXPECT_TRUE(has_grown(std::string("rmse"), 1, 1e48));
  EXPECT_TRUE(has_grown(Metric::rmse, 1, std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(has_grown(Metric::rmse, 0, 1)) << "there was no error to grow";
  EXPECT_FALSE(has_grown(Metric::effective_samples, 1e-3, 1e9)) << "no error";
  EXPECT_FALSE(has_grown(Metric::rmse, 1, std::nan("")));
}

}  // namespace
}  // namespace bellwether
