#include <limits>

#include <gtest/gtest.h>

#include <bellwether/report/line_plot.h>
#include <bellwether/report/text_table.h>

namespace bellwether {
namespace {

TEST(TextTable, AlignsColumnsToTheirWidestCell) {
  TextTable table({{.title = "name", .right = false}, {.title = "n"}});
  table.add({"a", "1"});
  table.add({"longer", "100"});
  EXPECT_EQ(table.text(),
            "name      n\n"
            "------  ---\n"
            "a         1\n"
            "longer  100\n");
}

LinePlot two_curves() {
  return {"T",
          "x",
          "y",
          {0, 50, 100},
          {{{"one"}, {1, 0.1, 0.01}, {0, 0.01, 0.001}}, {{"two", "twin"}, {1, 1, 1}, {0, 0, 0}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(LinePlot, DrawsACurveForEverySeriesAndALineForEveryLabel) {
  const std::string svg = two_curves().svg();
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<polygon"), 2U);
  for (const char* label : {">one<", ">two<", ">twin<"}) EXPECT_EQ(count(svg, label), 1U) << label;
}

TEST(LinePlot, HasALogarithmicErrorAxis) {
  // 1, 0.1 and 0.01 are equally far apart on the page.
  const std::string svg = two_curves().svg();
  const std::string points = svg.substr(svg.find("points", svg.find("<polyline")) + 8);
  double x[3];
  double y[3];
  ASSERT_EQ(std::sscanf(points.c_str(), "%lf,%lf %lf,%lf %lf,%lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.2);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
}

TEST(LinePlot, TreatsLabelsAsText) {
  LinePlot plot = two_curves();
  plot.title = "<script>alert(1)</script>";
  plot.series[0].labels = {"a & b", "\"quoted\""};
  const std::string svg = plot.svg();
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
}

TEST(LinePlot, SurvivesNothingZerosAndInfinities) {
  LinePlot plot = two_curves();
  plot.series[0].half_width = std::vector<double>(3, std::numeric_limits<double>::infinity());
  plot.series[1].y = {0, 0, 0};
  EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
  EXPECT_EQ(plot.svg().find("inf"), std::string::npos);
  plot.series.clear();
  EXPECT_NE(plot.svg().find("</svg>"), std::string::npos);
  plot.x.clear();
  EXPECT_NE(plot.svg().find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace bellwether
