#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/drawn_results.h"

namespace bellwether {
namespace {

using namespace testing;

/// Settings of two learners whose costs and errors follow no order.
std::vector<Row> scattered() {
  std::vector<Row> rows;
  for (int i = 0; i < 40; ++i) {
    const double cost = 0.05 * std::pow(1.17, (i * 17) % 40);
    const double error = 0.05 + 0.9 * ((i * 24 + 20) % 41) / 41.0;
    rows.push_back({i % 2 == 0 ? "A" : "B",
                    i % 2 == 0 ? "td" : "etd",
                    {{"alpha", std::to_string(i + 1)}},
                    error,
                    0,
                    cost,
                    static_cast<std::uint64_t>(1000 * cost)});
  }
  rows[7].diverged = 1;
  rows[7].error = 0.01;
  return rows;
}

TEST(CostFigure, TheFrontRisesWhereLargerIsBetter) {
  const std::vector<Row> rows{
      {"A", "td", td("0.1"), 10, 0, 1}, {"A", "td", td("0.2"), 5, 0, 2}, {"B", "etd", {}, 50, 0, 3}};
  const Results results(rows, "", "effective_samples");
  const auto svg = results.drawn(figure_of(Shows::cost));
  const auto steps = of_class(*of_class(svg, "panel").at(0), "steps");
  ASSERT_EQ(steps.size(), 1U);
  const auto line = values_of(svg, points_of(*steps[0]), Axis::log);
  ASSERT_EQ(line.size(), 5U) << "from the lower edge through A at 0.1 and B to the right edge";
  EXPECT_LT(line[0].second, results.error(1));
  expect_close({line[1], line[3]}, {{1, results.error(0)}, {3, results.error(2)}});
}

TEST(CostFigure, MarksTheBestOfEachLearnerAndDotsTheOthers) {
  const auto rows = scattered();
  const Results results(rows);
  const auto svg = results.drawn(figure_of(Shows::cost));
  EXPECT_EQ(legend_of(svg).back(), "Pareto front");
  const auto& panel = *of_class(svg, "panel").at(0);
  const auto marks = of_class(panel, "mark");
  ASSERT_EQ(marks.size(), 2U);
  std::vector<Place> expected;
  for (const std::size_t s : best_of_learners(*results, ranked(*results, 0, {}))) {
    expected.emplace_back(*(*results).settings[s].setting.microseconds, results.error(s));
  }
  // The best is on top, which is drawn last.
  const auto places = values_of(svg, {testing::middle_of(*marks[1]), testing::middle_of(*marks[0])}, Axis::log);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(places[i].first / expected[i].first, 1, 0.02);
    EXPECT_NEAR(places[i].second / expected[i].second, 1, 0.02);
  }
  std::size_t dots = 0;
  for (const auto* path : of_class(panel, "dots")) dots += testing::dots_of(*path).size();
  EXPECT_EQ(dots, 37U);
  const auto hollow = of_class(panel, "hollow");
  ASSERT_EQ(hollow.size(), 1U);
  const std::string& circles = hollow[0]->attributes.at("d");
  EXPECT_EQ(std::count(circles.begin(), circles.end(), 'M'), 1) << "the one that diverges";
  EXPECT_TRUE(says(svg, "Open marks: some runs diverged; these take no part in the front."));
}

TEST(CostFigure, TheFrontIsWhatNoSettingWithoutDivergedRunsBeatsInBoth) {
  const auto rows = scattered();
  const Results results(rows);
  for (const bool memory : {false, true}) {
    const auto svg = results.drawn(figure_of(Shows::cost, memory ? "memory" : "time"));
    const auto steps = of_class(*of_class(svg, "panel").at(0), "steps");
    ASSERT_EQ(steps.size(), 1U);
    const auto corners = values_of(svg, points_of(*steps[0]), Axis::log);
    std::vector<Place> expected;
    const auto cost = [&](std::size_t i) {
      const StoredSetting& s = (*results).settings[i].setting;
      return memory ? static_cast<double>(*s.bytes) : *s.microseconds;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      bool beaten = rows[i].diverged > 0;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        beaten |= k != i && rows[k].diverged == 0 && cost(k) <= cost(i) && results.error(k) <= results.error(i);
      }
      if (!beaten) expected.emplace_back(cost(i), results.error(i));
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_GT(expected.size(), 2U) << "a front worth drawing";
    ASSERT_EQ(corners.size(), 2 * expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(corners[2 * i + 1].first / expected[i].first, 1, 0.02);
      EXPECT_NEAR(corners[2 * i + 1].second / expected[i].second, 1, 0.02);
      EXPECT_NEAR(corners[2 * i].first / expected[i].first, 1, 0.02);
      if (i == 0) continue;
      EXPECT_NEAR(corners[2 * i].second / expected[i - 1].second, 1, 0.02) << "the same until the next";
    }
    const auto& panel = *of_class(svg, "panel").at(0);
    EXPECT_NEAR(points_of(*steps[0]).front().second, testing::y_ruler(panel, Axis::log).high, 0.1);
    EXPECT_NEAR(points_of(*steps[0]).back().first, testing::x_ruler(panel, Axis::log).high, 0.1);
  }
}

TEST(CostFigure, BytesHaveUnits) {
  const Results results({{"A", "td", td("0.1"), 0.5, 0, 1, 900}, {"B", "etd", {}, 0.3, 0, 1, 3000000}});
  const auto svg = results.drawn(figure_of(Shows::cost, "memory"));
  EXPECT_TRUE(says(svg, "10 kB"));
  EXPECT_TRUE(says(svg, "1 MB"));
}

TEST(CostFigure, ABestSettingOfWhichRunsDivergedIsOpen) {
  const Results results({{"A", "td", td("0.1"), 0.5, 1}, {"B", "etd", {}, 0.3}});
  const auto svg = results.drawn(figure_of(Shows::cost));
  const auto& panel = *of_class(svg, "panel").at(0);
  EXPECT_EQ(of_class(panel, "open").size(), 1U);
  EXPECT_EQ(of_class(panel, "mark").size(), 1U);
}

TEST(CostFigure, NamesLearnersThatWereNotMeasured) {
  const Results results(
      {{"A", "td", td("0.1"), 0.5}, {"B", "etd", {}, 0.3, 0, {}, {}}, {"C", "gtd", {}, 0.3, testing::seeds, {}, {}}});
  const auto svg = results.drawn(figure_of(Shows::cost));
  EXPECT_EQ(legend_of(svg), (std::vector<std::string>{"A", "Pareto front"}));
  EXPECT_TRUE(says(svg, "not measured: B."));
  EXPECT_TRUE(says(svg, "all runs diverged: C.")) << "and nothing else of it";
}

}  // namespace
}  // namespace bellwether
