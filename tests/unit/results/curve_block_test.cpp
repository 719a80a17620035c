#include <bellwether/results/curve_block.h>

#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

// Numbers with a large mean, where a sum of squares would lose every digit of the variance.
std::vector<double> sample() {
  std::vector<double> values;
  for (int i = 0; i < 23; ++i) values.push_back(1e9 + (i * i) % 17);
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double m2(const std::vector<double>& values) {
  const double m = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - m) * (v - m);
  return sum;
}

TEST(CurveBlock, OfRunsAddedOneByOneHasTheirMeanAndSumOfSquaredDeviations) {
  CurveBlock block;
  for (const double v : sample()) add(block, Curves{{v, 2 * v}, {-v}});
  EXPECT_EQ(block.runs, 23U);
  EXPECT_NEAR(block.mean[0][0], mean(sample()), 1e-6);
  EXPECT_NEAR(block.mean[0][1], 2 * mean(sample()), 1e-6);
  EXPECT_NEAR(block.mean[1][0], -mean(sample()), 1e-6);
  EXPECT_NEAR(block.m2[0][0], m2(sample()), 1e-4);
  EXPECT_NEAR(block.m2[0][1], 4 * m2(sample()), 1e-4);
}

TEST(CurveBlock, JoinedFromBlocksAgreesWithRunsAddedOneByOne) {
  CurveBlock joined;
  CurveBlock part;
  std::size_t added = 0;
  for (const double v : sample()) {
    add(part, Curves{{v}});
    if (++added % 10 == 0 || added == sample().size()) {
      add(joined, part);
      part = {};
    }
  }
  EXPECT_EQ(joined.runs, 23U);
  EXPECT_NEAR(joined.mean[0][0], mean(sample()), 1e-6);
  EXPECT_NEAR(joined.m2[0][0], m2(sample()), 1e-4);
}

TEST(CurveBlock, WithoutRunsChangesNothing) {
  CurveBlock block;
  add(block, Curves{{3}});
  add(block, CurveBlock{});
  EXPECT_EQ(block.runs, 1U);
  EXPECT_EQ(block.mean, (Curves{{3}}));
  EXPECT_EQ(block.m2, (Curves{{0}}));
  CurveBlock empty;
  add(empty, block);
  EXPECT_EQ(empty.mean, block.mean);
}

}  // namespace
}  // namespace bellwether
