#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/drawn_results.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(SensitivityFigure, ShowsTheBestOfTheOtherParametersAtEachValue) {
  const Results results({{"TD", "td", td("0.01", "0"), 0.9},
                         {"TD", "td", td("0.01", "0.9"), 0.8},
                         {"TD", "td", td("0.1", "0"), 0.4},
                         {"TD", "td", td("0.1", "0.9"), 0.5},
                         {"TD", "td", td("1", "0"), 0.7},
                         {"TD", "td", td("1", "0.9"), 0.6}});
  const auto by_alpha = results.drawn(figure_of(Shows::sensitivity, "alpha"));
  const auto line = of_class(*of_class(by_alpha, "panel").at(0), "line");
  ASSERT_EQ(line.size(), 1U);
  expect_close(values_of(by_alpha, points_of(*line[0]), Axis::log),
               {{0.01, results.error(1)}, {0.1, results.error(2)}, {1, results.error(5)}});
  const auto by_lambda = results.drawn(figure_of(Shows::sensitivity, "lambda"));
  expect_close(
      values_of(by_lambda, points_of(*of_class(*of_class(by_lambda, "panel").at(0), "line").at(0)), Axis::linear),
      {{0, results.error(2)}, {0.9, results.error(3)}});
}

TEST(SensitivityFigure, OwnParametersGoEvenlyFromSmallestToLargest) {
  const Results results({{"TD", "td", td("1"), 0.9},
                         {"TD", "td", td("0.01"), 0.8},
                         {"TD", "td", td("0.1"), 0.4},
                         {"LSTD", "lstd", {{"eta", "1e-05"}}, 0.3},
                         {"LSTD", "lstd", {{"eta", "10"}}, 0.2}});
  const auto svg = results.drawn(figure_of(Shows::sensitivity));
  const auto& panel = *of_class(svg, "panel").at(0);
  const auto lines = of_class(panel, "line");
  ASSERT_EQ(lines.size(), 2U);
  const auto a = points_of(*lines[0]);
  const auto b = points_of(*lines[1]);
  ASSERT_EQ(a.size(), 3U);
  ASSERT_EQ(b.size(), 2U);
  EXPECT_NEAR(a[1].first - a[0].first, a[2].first - a[1].first, 0.11);
  EXPECT_NEAR(a[0].first, b[0].first, 0.01);
  EXPECT_NEAR(a[2].first, b[1].first, 0.01);
  const auto up = testing::y_ruler(panel, Axis::log);
  EXPECT_NEAR(up.value(a[0].second), results.error(1), 0.01) << "0.01, the smallest, though it comes second";
  EXPECT_NEAR(up.value(a[2].second), results.error(0), 0.01);
  EXPECT_TRUE(says(svg, "smallest"));
  EXPECT_TRUE(says(svg, "alpha, eta"));
}

TEST(SensitivityFigure, ValuesThatAreNoNumbersAreNamed) {
  const Results results(
      {{"TD", "td", td("0.1", "0", "replacing"), 0.5}, {"TD", "td", td("0.1", "0", "accumulating"), 0.4}});
  const auto svg = results.drawn(figure_of(Shows::sensitivity, "trace"));
  EXPECT_TRUE(says(svg, "replacing accumulating")) << "in the order of the study";
  EXPECT_EQ(of_class(*of_class(svg, "panel").at(0), "mark").size(), 2U);
}

TEST(SensitivityFigure, OpenMarksForSomeDivergedRunsAndCrossesAtTheUpperEdgeForAll) {
  const Results results(
      {{"TD", "td", td("0.1"), 0.5}, {"TD", "td", td("1"), 0.7, 1}, {"TD", "td", td("10"), 0.7, seeds}});
  const auto svg = results.drawn(figure_of(Shows::sensitivity, "alpha"));
  const auto& panel = *of_class(svg, "panel").at(0);
  EXPECT_EQ(of_class(panel, "mark").size(), 1U);
  const auto open = of_class(panel, "open");
  const auto crosses = of_class(panel, "cross");
  ASSERT_EQ(open.size(), 1U);
  ASSERT_EQ(crosses.size(), 1U);
  const auto place = values_of(svg, {testing::middle_of(*open[0])}, Axis::log)[0];
  EXPECT_NEAR(place.first, 1, 0.02);
  EXPECT_NEAR(place.second, results.error(1), 0.01);
  EXPECT_NEAR(values_of(svg, {testing::middle_of(*crosses[0])}, Axis::log)[0].first, 10, 0.2);
  EXPECT_NEAR(testing::middle_of(*crosses[0]).second, testing::y_ruler(panel, Axis::log).high, 0.2);
  EXPECT_EQ(points_of(*of_class(panel, "line").at(0)).size(), 2U);
  EXPECT_TRUE(says(svg, "Open marks: some runs diverged. Crosses: all did."));
}

TEST(SensitivityFigure, ExplainsNoMarkThatIsNotThere) {
  const Results steady({{"TD", "td", td("0.1"), 0.5}, {"TD", "td", td("0.2"), 0.6}});
  EXPECT_FALSE(says(steady.drawn(figure_of(Shows::sensitivity)), "diverged"));
  const Results above({{"TD", "td", td("0.1"), 0.5}, {"TD", "td", td("0.2"), 1e9, 1}});
  EXPECT_FALSE(says(above.drawn(figure_of(Shows::sensitivity)), "Open marks"));
}

TEST(SensitivityFigure, ALearnerWithoutTheParameterIsALevelLineAtItsBest) {
  const Results results({{"TD", "td", td("0.1"), 0.5},
                         {"TD", "td", td("0.2"), 0.7},
                         {"LSTD", "lstd", {{"eta", "1"}}, 0.3},
                         {"LSTD", "lstd", {{"eta", "2"}}, 0.2}});
  const auto svg = results.drawn(figure_of(Shows::sensitivity, "alpha"));
  const auto& panel = *of_class(svg, "panel").at(0);
  const auto levels = of_class(panel, "level");
  ASSERT_EQ(levels.size(), 1U);
  const auto up = testing::y_ruler(panel, Axis::log);
  EXPECT_NEAR(up.value(levels[0]->number("y1")), results.error(3), 0.004);
  EXPECT_EQ(levels[0]->number("y1"), levels[0]->number("y2"));
  const auto across = testing::x_ruler(panel, Axis::linear);
  EXPECT_NEAR(levels[0]->number("x1"), across.low, 0.1);
  EXPECT_NEAR(levels[0]->number("x2"), across.high, 0.1);
}

TEST(SensitivityFigure, HasAPanelForEachValueAndInAllOfThemLearnersWithoutIt) {
  const auto decaying = [](const std::string& alpha, const std::string& n0) -> Settings {
    return {{"alpha", alpha}, {"n0", n0}};
  };
  const Results results({{"TD", "td", decaying("0.1", "1000000"), 0.5},
                         {"TD", "td", decaying("0.2", "1000000"), 0.7},
                         {"TD", "td", decaying("0.1", "100"), 0.3},
                         {"TD", "td", decaying("0.2", "100"), 0.2},
                         {"LSTD", "lstd", {{"eta", "1"}}, 0.25},
                         {"LSTD", "lstd", {{"eta", "2"}}, 0.4}});
  Figure figure = figure_of(Shows::sensitivity);
  figure.panels = "n0";
  const auto svg = results.drawn(figure);
  const auto panels = of_class(svg, "panel");
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_EQ(testing::texts(*panels[0]).back(), "n0 = 100") << "in the order of the numbers";
  EXPECT_EQ(testing::texts(*panels[1]).back(), "n0 = 1e6");
  const auto up = testing::y_ruler(*panels[0], Axis::log);
  const double expected[2][4] = {{0.3, 0.2, 0.25, 0.4}, {0.5, 0.7, 0.25, 0.4}};
  const double mean = 1.05;  // of the runs, relative to the error of a row
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> seen;
    for (const auto* mark : of_class(*panels[i], "mark"))
      seen.push_back(up.value(testing::middle_of(*mark).second) / mean);
    ASSERT_EQ(seen.size(), 4U);
    for (const double e : expected[i]) {
      EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [&](double s) { return std::abs(s - e) < 0.015 * e; }))
          << i << " " << e;
    }
  }
}

TEST(SensitivityFigure, AtKeepsOnlySettingsWithThatValue) {
  const Results results({{"TD", "td", td("0.1", "0"), 0.5},
                         {"TD", "td", td("0.2", "0"), 0.6},
                         {"TD", "td", td("0.1", "0.9"), 0.3},
                         {"TD", "td", td("0.2", "0.9"), 0.4},
                         {"LSTD", "lstd", {{"lambda", "0.5"}}, 0.2}});
  Figure figure = figure_of(Shows::sensitivity, "alpha");
  figure.at = {{"lambda", "0"}};
  const auto svg = results.drawn(figure);
  const auto& panel = *of_class(svg, "panel").at(0);
  expect_close(values_of(svg, points_of(*of_class(panel, "line").at(0)), Axis::linear),
               {{0.1, results.error(0)}, {0.2, results.error(1)}});
  EXPECT_EQ(of_class(panel, "level").size(), 1U) << "a learner with one lambda keeps it";
}

TEST(SensitivityFigure, HugeErrorsDoNotSquashTheRest) {
  const Results results({{"TD", "td", td("0.1"), 0.5},
                         {"TD", "td", td("0.2"), 0.3},
                         {"TD", "td", td("0.3"), 1e30},
                         {"BAD", "etd", {}, 1e20}});
  for (const Axis y : {Axis::log, Axis::linear}) {
    Figure figure = figure_of(Shows::sensitivity, "alpha");
    figure.y = y;
    const auto svg = results.drawn(figure);
    const auto up = testing::y_ruler(*of_class(svg, "panel").at(0), y);
    EXPECT_LT(up.value(up.high), 3);
    EXPECT_TRUE(says(svg, "Above the upper edge: BAD."));
  }
}

}  // namespace
}  // namespace bellwether
