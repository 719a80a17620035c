#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/drawn_results.h"

namespace bellwether {
namespace {

using namespace testing;

TEST(CurvesFigure, ShowsTheMeansAndBandsOfTheBestSettingOfEachLearner) {
  const Results results({{"TD", "td", td("0.1"), 0.5}, {"TD", "td", td("0.2"), 0.3}, {"LSTD", "lstd", {}, 0.2}});
  const auto svg = results.drawn(figure_of(Shows::curves));
  EXPECT_EQ(legend_of(svg), (std::vector<std::string>{"LSTD", "TD"})) << "the best first";
  const auto lines = of_class(*of_class(svg, "panel").at(0), "line");
  const auto bands = of_class(svg, "band");
  ASSERT_EQ(lines.size(), 2U);
  ASSERT_EQ(bands.size(), 2U);
  const auto curve = results.reader().curve((*results).settings[1].setting.id, "relative");  // TD, drawn first
  std::vector<Place> means;
  std::vector<Place> upper;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const auto t = static_cast<double>((*results).study.record.at[k]);
    means.emplace_back(t, curve[k].mean);
    upper.emplace_back(t, curve[k].mean + student_t_95(seeds - 1) * std::sqrt(curve[k].variance / seeds));
  }
  expect_close(values_of(svg, points_of(*lines[0]), Axis::linear), means);
  auto band = points_of(*bands[0]);
  ASSERT_EQ(band.size(), 6U);
  band.resize(3);
  expect_close(values_of(svg, band, Axis::linear), upper);
}

TEST(CurvesFigure, LeavesOutAndNamesLearnersThatExplodeOrDiverge) {
  const Results results(
      {{"TD", "td", td("0.1"), 0.5}, {"BAD", "etd", {}, 3, 0, 1, 1, 1e9}, {"WORSE", "gtd", {}, 1, seeds}});
  const auto svg = results.drawn(figure_of(Shows::curves));
  EXPECT_EQ(legend_of(svg), std::vector<std::string>{"TD"});
  EXPECT_TRUE(says(svg, "10 times the error they began with: BAD."));
  EXPECT_TRUE(says(svg, "all runs diverged: WORSE."));
  EXPECT_LT(testing::y_ruler(*of_class(svg, "panel").at(0), Axis::log).value(0), 10) << "the axis is for the others";
}

TEST(CurvesFigure, ShowsLearnersThatExplodeWhenThereAreNoOthers) {
  const Results results({{"BAD", "etd", {}, 3, 0, 1, 1, 1e9}});
  EXPECT_EQ(legend_of(results.drawn(figure_of(Shows::curves))), std::vector<std::string>{"BAD"});
}

TEST(CurvesFigure, LeavesOutNothingWhereLargerIsBetter) {
  const std::vector<Row> rows{{"FEW", "td", td("0.1"), 0.5}, {"MANY", "etd", {}, 30, 0, 1, 1, 1e3}};
  const auto svg = Results(rows, "", "effective_samples").drawn(figure_of(Shows::curves));
  EXPECT_EQ(legend_of(svg), (std::vector<std::string>{"MANY", "FEW"}));
  EXPECT_GT(testing::y_ruler(*of_class(svg, "panel").at(0), Axis::log).value(0), 1e3) << "the axis holds both";
}

TEST(CurvesFigure, TimeIsStepsTimesMicroseconds) {
  const Results results(
      {{"TD", "td", td("0.1"), 0.5, 0, 20}, {"LSTD", "lstd", {}, 0.2, 0, 30}, {"X", "etd", {}, 0.2, 0, {}}});
  const auto svg = results.drawn(figure_of(Shows::curves, "time"));
  EXPECT_TRUE(says(svg, "time in ms"));
  EXPECT_TRUE(says(svg, "not measured: X."));
  const auto lines = of_class(*of_class(svg, "panel").at(0), "line");
  ASSERT_EQ(lines.size(), 2U);
  const auto at_td = values_of(svg, points_of(*lines[0]), Axis::linear);
  ASSERT_EQ(at_td.size(), 3U);
  EXPECT_NEAR(at_td[1].first, 1, 0.01) << "50 steps of 20 us";
  EXPECT_NEAR(at_td[2].first, 2, 0.01);
  EXPECT_NEAR(values_of(svg, points_of(*lines[1]), Axis::linear).back().first, 3, 0.01);
}

TEST(CurvesFigure, TimesThatAreFarApartAreOnALogarithmicAxis) {
  const Results results({{"TD", "td", td("0.1"), 0.5, 0, 0.1}, {"LSTD", "lstd", {}, 0.2, 0, 100}});
  const auto svg = results.drawn(figure_of(Shows::curves, "time"));
  const auto lines = of_class(*of_class(svg, "panel").at(0), "line");
  ASSERT_EQ(lines.size(), 2U);
  const auto values = values_of(svg, points_of(*lines[0]), Axis::log);
  ASSERT_EQ(values.size(), 2U) << "no time has passed at the first point, which has no logarithm";
  EXPECT_NEAR(values[0].first, 0.005, 0.0001);
  EXPECT_NEAR(values[1].first, 0.01, 0.0002);
}

TEST(CurvesFigure, ShowsTheMetricAndTheLearnersThatAreAskedFor) {
  const Results results({{"TD", "td", td("0.1"), 0.5}, {"TD", "td", td("0.2"), 0.3}, {"LSTD", "lstd", {}, 0.2}});
  Figure figure = figure_of(Shows::curves);
  figure.metric = "rmse";
  figure.learners = {"TD"};
  figure.y = Axis::linear;
  const auto svg = results.drawn(figure);
  EXPECT_EQ(legend_of(svg), std::vector<std::string>{"TD"});
  EXPECT_TRUE(says(svg, "rmse"));
  const auto lines = of_class(*of_class(svg, "panel").at(0), "line");
  ASSERT_EQ(lines.size(), 1U);
  const auto values = values_of(svg, points_of(*lines[0]), Axis::linear, Axis::linear);
  EXPECT_NEAR(values.at(0).second, 10, 0.1);
  EXPECT_NEAR(values.at(1).second, 9, 0.1);
}

}  // namespace
}  // namespace bellwether
