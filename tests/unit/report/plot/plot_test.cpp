#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/report/plot/palette.h>
#include <bellwether/report/plot/plot.h>

#include "support/drawing.h"

namespace bellwether {
namespace {

using testing::of_class;
using testing::parse_xml;
using testing::points_of;

/// Two curves over 0, 50, 100: 1, 0.1, 0.01 with a band, and 1, 1, 1, which coincides with another's label.
Plot two_curves() {
  Plot plot;
  plot.title = "T";
  plot.x_label = "x";
  plot.y_label = "y";
  plot.x = linear_axis(0, 100, 6);
  plot.y = log_axis(0.008, 1.2, 8);
  plot.keys = {{{"one"}, 0, 0, Drawn::curve}, {{"two", "twin"}, 2, 1, Drawn::curve}};
  plot.panels = {{"",
                  {{0, Drawn::curve, {{0, 1, 0}, {50, 0.1, 0.05}, {100, 0.01, 0.001}}},
                   {1, Drawn::curve, {{0, 1}, {50, 1}, {100, 1}}}}}};
  return plot;
}

TEST(Plot, DrawsALineForEverySeriesWhereTheAxesSay) {
  const auto svg = parse_xml(two_curves().svg());
  const auto panel = of_class(svg, "panel").at(0);
  const auto lines = of_class(*panel, "line");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1]->attributes.at("stroke"), palette_colour(0)) << "the first is on top, and drawn last";
  EXPECT_EQ(lines[0]->attributes.at("stroke-dasharray"), palette_dash(1));
  const auto x = testing::x_ruler(*panel, Axis::linear);
  const auto y = testing::y_ruler(*panel, Axis::log);
  const auto points = points_of(*lines[1]);
  ASSERT_EQ(points.size(), 3U);
  const double expected[3][2] = {{0, 1}, {50, 0.1}, {100, 0.01}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(x.value(points[i].first), expected[i][0], 0.1);
    EXPECT_NEAR(y.value(points[i].second) / expected[i][1], 1, 0.01);
  }
}

TEST(Plot, DrawsABandOfTheHalfWidthsAndNoneWithoutThem) {
  const auto svg = parse_xml(two_curves().svg());
  const auto bands = of_class(svg, "band");
  ASSERT_EQ(bands.size(), 1U);
  const auto y = testing::y_ruler(*of_class(svg, "panel").at(0), Axis::log);
  const auto points = points_of(*bands[0]);
  ASSERT_EQ(points.size(), 6U);
  EXPECT_NEAR(y.value(points[1].second), 0.15, 0.002);
  EXPECT_NEAR(y.value(points[4].second), 0.05, 0.001);
}

TEST(Plot, ListsEveryLabelOnceAndNoKeyThatIsNotDrawn) {
  Plot plot = two_curves();
  plot.keys.push_back({{"absent"}, 3, 0, Drawn::curve});
  const auto svg = parse_xml(plot.svg());
  EXPECT_EQ(testing::texts(*of_class(svg, "legend").at(0)), (std::vector<std::string>{"one", "two", "twin"}));
}

TEST(Plot, GrowsWithItsLegend) {
  Plot plot = two_curves();
  const auto before = parse_xml(plot.svg());
  plot.keys[0].labels.assign(60, "a label that is rather long, and longer than the others");
  const auto after = parse_xml(plot.svg());
  EXPECT_GT(after.number("height"), before.number("height"));
  EXPECT_GT(after.number("width"), before.number("width"));
  for (const auto* text : testing::of_name(*of_class(after, "legend").at(0), "text")) {
    EXPECT_LT(text->number("y"), after.number("height"));
    EXPECT_LT(text->number("x"), after.number("width"));
  }
}

TEST(Plot, KeepsItsNotesClearOfALongLegend) {
  Plot plot = two_curves();
  plot.notes.emplace_back();
  for (int i = 0; i < 60; ++i) plot.notes.back() += "note ";
  const auto lines = [&] {
    const auto all = testing::texts(parse_xml(plot.svg()));
    return std::count_if(all.begin(), all.end(), [](const std::string& text) { return text.starts_with("note"); });
  };
  plot.keys[0].labels.assign(2, "a label that is rather long, and longer than the others");
  const auto below = lines();
  plot.keys[0].labels.assign(60, "a label that is rather long, and longer than the others");
  EXPECT_GT(lines(), below) << "shorter lines";
}

TEST(Plot, TreatsAllTextAsText) {
  Plot plot = two_curves();
  const std::string evil = "</text><script>alert(1)</script>\x01\xff";
  plot.title = plot.subtitle = plot.x_label = plot.y_label = plot.panels[0].title = evil;
  plot.keys[0].labels = {evil};
  plot.notes = {evil};
  plot.x.ticks[0].text = evil;
  const std::string text = plot.svg();
  EXPECT_EQ(text.find("<script"), std::string::npos);
  const auto svg = parse_xml(text);
  EXPECT_TRUE(testing::of_name(svg, "script").empty());
  EXPECT_EQ(testing::texts(svg).front(), "</text><script>alert(1)</script>\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Plot, SurvivesNothingZerosAndInfinities) {
  EXPECT_NO_THROW(parse_xml(Plot{}.svg()));
  Plot plot = two_curves();
  plot.panels[0].series[0].points = {{0, infinity, 1}, {50, std::nan(""), 1}, {100, 0, infinity}, {100, 1e300, 1e300}};
  plot.panels[0].series[1].points.clear();
  const std::string text = plot.svg();
  EXPECT_NO_THROW(parse_xml(text));
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Plot, InterruptsALineWhereThereIsNoValue) {
  Plot plot = two_curves();
  plot.panels[0].series[0].points = {{0, 1}, {20, 1}, {40, infinity}, {60, 1}, {80, 1}};
  plot.panels[0].series.pop_back();
  const auto svg = parse_xml(plot.svg());
  const auto lines = of_class(*of_class(svg, "panel").at(0), "line");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(points_of(*lines[0]).size(), 2U);
}

TEST(Plot, CutsOffAtTheEdgeAndDrawsNoMarkBeyond) {
  Plot plot = two_curves();
  plot.panels[0].series = {
      {0, Drawn::values, {{0, 1, 0, Mark::filled}, {50, 1e6, 0, Mark::filled}, {100, 0.1, 0, Mark::open}}}};
  const auto svg = parse_xml(plot.svg());
  const auto* panel = of_class(svg, "panel").at(0);
  EXPECT_EQ(of_class(*panel, "mark").size(), 1U);
  EXPECT_EQ(of_class(*panel, "open").size(), 1U);
  const auto inner = testing::of_name(*panel, "svg");
  ASSERT_EQ(inner.size(), 1U) << "a drawing of its own is cut off at its edge";
  EXPECT_EQ(of_class(*inner[0], "line").size(), 1U);
  EXPECT_EQ(points_of(*of_class(*panel, "line")[0]).size(), 3U);
  EXPECT_TRUE(of_class(*inner[0], "mark").empty());
}

TEST(Plot, MarksStandWhereTheirPointsAreWhateverTheirShape) {
  Plot plot = two_curves();
  plot.panels[0].series.resize(1);
  plot.panels[0].series[0] = {0, Drawn::marks, {{50, 0.1, 0, Mark::filled}}};
  for (std::size_t dash = 0; dash < 6; ++dash) {
    plot.keys[0].dash = dash;
    const auto svg = parse_xml(plot.svg());
    const auto* panel = of_class(svg, "panel").at(0);
    const auto place = testing::middle_of(*of_class(*panel, "mark").at(0));
    EXPECT_NEAR(testing::x_ruler(*panel, Axis::linear).value(place.first), 50, 0.3) << dash;
    EXPECT_NEAR(testing::y_ruler(*panel, Axis::log).value(place.second), 0.1, 0.003) << dash;
  }
}

TEST(Plot, CrossesStandAtTheUpperEdgeAndAboveOneAnother) {
  Plot plot = two_curves();
  plot.panels[0].series = {{0, Drawn::values, {{0, 1, 0, Mark::filled}, {100, 0, 0, Mark::cross}}},
                           {1, Drawn::values, {{0, 1, 0, Mark::filled}, {100, 0, 0, Mark::cross}}}};
  const auto svg = parse_xml(plot.svg());
  const auto* panel = of_class(svg, "panel").at(0);
  const auto crosses = of_class(*panel, "cross");
  ASSERT_EQ(crosses.size(), 2U);
  const auto x = testing::x_ruler(*panel, Axis::linear);
  const auto y = testing::y_ruler(*panel, Axis::log);
  const auto first = testing::middle_of(*crosses[0]);
  const auto second = testing::middle_of(*crosses[1]);
  EXPECT_NEAR(first.second, y.high, 0.2);
  EXPECT_LT(second.second, first.second - 4);
  EXPECT_NEAR(x.value(first.first), 100, 0.3);
  for (const auto* line : of_class(*panel, "line")) EXPECT_EQ(points_of(*line).size(), 1U) << "a cross is on no line";
}

TEST(Plot, PanelsShareTheirAxes) {
  Plot plot = two_curves();
  plot.panels.push_back(plot.panels[0]);
  plot.panels[0].title = "left";
  plot.panels[1].title = "right";
  const auto svg = parse_xml(plot.svg());
  const auto panels = of_class(svg, "panel");
  ASSERT_EQ(panels.size(), 2U);
  const auto a = points_of(*of_class(*panels[0], "line").at(1));
  const auto b = points_of(*of_class(*panels[1], "line").at(1));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].second, b[i].second);
    EXPECT_NEAR(b[i].first - a[i].first, b[0].first - a[0].first, 0.11);
  }
  EXPECT_GT(b[0].first, a[2].first) << "side by side";
  EXPECT_EQ(testing::texts(*of_class(svg, "legend").at(0)).size(), 3U) << "one legend for both";
}

TEST(Plot, ALineUnderAnotherIsWider) {
  Plot plot = two_curves();
  const auto width = [&] {
    const auto svg = parse_xml(plot.svg());
    return of_class(*of_class(svg, "panel").at(0), "line").at(0)->number("stroke-width");
  };
  const double apart = width();
  plot.panels[0].series[1].points = plot.panels[0].series[0].points;
  EXPECT_GT(width(), apart + 1);
}

TEST(Plot, FollowsDarkPagesOnlyIfAsked) {
  Plot plot = two_curves();
  EXPECT_EQ(plot.svg().find("prefers-color-scheme"), std::string::npos);
  plot.adapts = true;
  EXPECT_NE(plot.svg().find("prefers-color-scheme: dark"), std::string::npos);
}

TEST(Plot, ThousandsOfDotsAreASmallFile) {
  Plot plot = two_curves();
  PlotSeries dots{0, Drawn::dots, {}};
  for (int i = 0; i < 5000; ++i) dots.points.push_back({0.02 * i, std::pow(10, -i / 2500.0)});
  plot.panels[0].series = {dots};
  const std::string text = plot.svg();
  EXPECT_LT(text.size(), 150000U);
  const auto svg = parse_xml(text);
  EXPECT_EQ(testing::dots_of(*of_class(svg, "dots").at(0)).size(), 5000U);
}

}  // namespace
}  // namespace bellwether
