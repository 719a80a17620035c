#include <bellwether/core/state_sample.h>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

/// The numbers 0, 1, 2, ... as states, with their doubles beside them.
StateSample counted(std::size_t states) {
  StateSample sample(2);
  for (std::size_t i = 0; i < states; ++i) {
    const auto x = static_cast<double>(i);
    sample.add(std::vector<double>{x, 2 * x});
  }
  return sample;
}

TEST(StateSample, KeepsAllStatesUpToItsSize) {
  const StateSample sample = counted(StateSample::most);
  ASSERT_EQ(sample.size(), StateSample::most);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    EXPECT_EQ(sample[i][0], static_cast<double>(i));
    EXPECT_EQ(sample[i][1], static_cast<double>(2 * i));
  }
}

TEST(StateSample, OfMoreItKeepsWholeStatesInOrderFromAllParts) {
  constexpr std::size_t all = 100000, parts = 10;
  const StateSample sample = counted(all);
  EXPECT_EQ(sample.added(), all);
  EXPECT_LE(sample.size(), StateSample::most);
  EXPECT_GT(sample.size(), StateSample::most / 3);
  std::vector<double> counts(parts);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    EXPECT_EQ(sample[i][1], 2 * sample[i][0]);
    EXPECT_TRUE(i == 0 || sample[i - 1][0] < sample[i][0]);
    ++counts[static_cast<std::size_t>(sample[i][0]) * parts / all];
  }
  const double expected = static_cast<double>(sample.size()) / parts;
  for (const double count : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}

}  // namespace
}  // namespace bellwether
