#include <bellwether/core/variable.h>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

TEST(Visible, LeavesOutHiddenVariables) {
  const auto shown =
      visible({{.name = "x", .low = 0, .high = 1}, {.name = "clock", .low = 0, .high = 9, .hidden = true}});
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].name, "x");
  EXPECT_TRUE(visible({}).empty());
}

TEST(RangeFinder, FindsSmallestAndLargestValuesAndWhetherTheyAreWhole) {
  const std::array<std::string, 2> names{"cell", "speed"};
  RangeFinder ranges(names);
  ranges.add(std::array{3.0, 0.5});
  ranges.add(std::array{-2.0, -1.5});
  ranges.add(std::array{7.0, 1.0});
  const auto found = ranges.variables();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "cell");
  EXPECT_EQ(found[0].low, -2);
  EXPECT_EQ(found[0].high, 7);
  EXPECT_TRUE(found[0].whole);
  EXPECT_EQ(found[1].name, "speed");
  EXPECT_EQ(found[1].low, -1.5);
  EXPECT_EQ(found[1].high, 1);
  EXPECT_FALSE(found[1].whole);
}

TEST(RangeFinder, GivesAVariableThatNeverChangedARangeOfLengthOneAroundIt) {
  const std::array<std::string, 1> names{"constant"};
  RangeFinder ranges(names);
  ranges.add(std::array{4.0});
  ranges.add(std::array{4.0});
  EXPECT_EQ(ranges.variables()[0].low, 3.5);
  EXPECT_EQ(ranges.variables()[0].high, 4.5);
  EXPECT_FALSE(ranges.variables()[0].whole);
}

TEST(RangeFinder, AnOutlierIsNotInTheUsualRange) {
  const std::array<std::string, 3> names{"x", "cell", "number"};
  RangeFinder ranges(names);
  for (int i = 0; i < 20000; ++i) {
    const bool out = i == 777;
    ranges.add(std::array{out ? 1e9 : i % 101 / 100.0, out ? 900.0 : i % 7, out ? -1e12 : i % 500});
  }
  EXPECT_EQ(ranges.variables()[0].high, 1e9);
  const auto usual = ranges.usual_variables();
  EXPECT_EQ(usual[0].low, 0);
  EXPECT_NEAR(usual[0].high, 2, 0.02);  // the quantile of 99.5 %, and as much again
  EXPECT_EQ(usual[1].high, 900) << "whole numbers that may be names";
  EXPECT_TRUE(usual[1].whole);
  EXPECT_NEAR(usual[2].low, -500, 8);
  EXPECT_EQ(usual[2].high, 499);
  EXPECT_FALSE(usual[2].whole);
}

TEST(RangeFinder, WithoutOutliersTheUsualRangeIsTheWholeOne) {
  const std::array<std::string, 2> names{"x", "mostly zero"};
  for (const int states : {3, 9, 50, 3000, 40000}) {
    RangeFinder ranges(names);
    for (int i = 0; i < states; ++i) ranges.add(std::array{i * 0.7, i % 1000 == 5 ? 17.5 : 0.0});
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(ranges.usual_variables()[k].low, ranges.variables()[k].low) << states;
      EXPECT_EQ(ranges.usual_variables()[k].high, ranges.variables()[k].high) << states;
    }
  }
}

TEST(RangeFinder, AnOutlierAmongFewStatesIsLeftOutToo) {
  const std::array<std::string, 1> names{"x"};
  RangeFinder ranges(names);
  for (int i = 0; i < 20; ++i) ranges.add(std::array{i == 3 ? 1e9 : i / 10.0});
  EXPECT_LT(ranges.usual_variables()[0].high, 4);
}

TEST(RangeFinder, CanBeAskedInBetween) {
  const std::array<std::string, 1> names{"x"};
  RangeFinder ranges(names);
  ranges.add(std::array{4.0});
  ranges.variables();
  ranges.add(std::array{5.0});
  EXPECT_EQ(ranges.variables()[0].low, 4);
  EXPECT_TRUE(ranges.variables()[0].whole);
}

TEST(RangeFinder, RejectsValuesThatAreNotFiniteAndTakesNoNoteOfTheirState) {
  const std::array<std::string, 2> names{"x", "y"};
  RangeFinder ranges(names);
  EXPECT_EQ(rejection([&] { ranges.variables(); }), "ranges: no state was added");
  EXPECT_EQ(rejection([&] { ranges.add(std::array{99.0, std::nan("")}); }), "ranges: variable 'y' = nan is not finite");
  EXPECT_EQ(rejection([&] {
              ranges.add(std::array<double, 2>{-INFINITY, 0.0});
            }),
            "ranges: variable 'x' = -inf is not finite");
  EXPECT_EQ(rejection([&] { ranges.variables(); }), "ranges: no state was added");
  ranges.add(std::array{1.0, 2.0});
  ranges.add(std::array{2.0, 2.0});
  EXPECT_EQ(ranges.variables()[0].high, 2);
}

}  // namespace
}  // namespace bellwether
