// The rules of figures. Their examples are in figure_rules.json, which the page of reports is tested with as well
// (web/tests/unit/rules.test.ts).
#include <bellwether/report/figure_rules.h>

#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace bellwether {
namespace {

using nlohmann::json;

constexpr double unknown = std::numeric_limits<double>::infinity();

json examples(const std::string& rule) {
  std::ifstream file(BELLWETHER_SOURCE_DIR "/tests/unit/report/figure_rules.json");
  return json::parse(file).at(rule);
}

double number_or_unknown(const json& value) { return value.is_null() ? unknown : value.get<double>(); }

TEST(FigureRules, TheCeilingIsThatOfTheExamples) {
  for (const json& example : examples("ceiling")) {
    const auto best = example.at("best").get<std::vector<double>>();
    EXPECT_EQ(ceiling(number_or_unknown(example.at("before_learning")), best), number_or_unknown(example.at("is")))
        << example;
  }
}

TEST(FigureRules, TheFrontIsThatOfTheExamples) {
  for (const json& example : examples("front")) {
    std::vector<CostPoint> points;
    for (const json& p : example.at("points")) points.push_back({p.at(0), p.at(1), p.at(2)});
    EXPECT_EQ(front(points, example.value("larger_is_better", false)), example.at("is").get<std::vector<std::size_t>>())
        << example;
  }
}

RC_GTEST_PROP(FigureRules, APointIsOnTheFrontExactlyWhenNoneIsCheaperAndBetter, ()) {
  std::vector<CostPoint> points;
  for (const auto& [cost, error] : *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
           rc::gen::pair(rc::gen::inRange(1U, 1000U), rc::gen::inRange(1U, 1000U)))) {
    points.push_back({static_cast<double>(cost), static_cast<double>(error), *rc::gen::inRange(0, 4) == 0});
  }
  const auto found = front(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool beaten = points[i].diverges;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool no_worse = points[k].cost <= points[i].cost && points[k].error <= points[i].error;
      const bool differs = points[k].cost != points[i].cost || points[k].error != points[i].error;
      beaten |= !points[k].diverges && no_worse && (differs || k < i);
    }
    RC_ASSERT((std::find(found.begin(), found.end(), i) == found.end()) == beaten);
  }
}

TEST(FigureRules, ValuesSuitALogarithmicAxisInTheExamples) {
  for (const json& example : examples("suits_log")) {
    EXPECT_EQ(suits_log(example.at("values").get<std::vector<double>>()), example.at("is").get<bool>()) << example;
  }
}

TEST(FigureRules, ACurveExplodesWhenItEndsFarAboveItsBeginningOrNowhere) {
  EXPECT_FALSE(explodes(1, 0.1));
  EXPECT_FALSE(explodes(1, 10));
  EXPECT_TRUE(explodes(1, 10.1));
  EXPECT_TRUE(explodes(1, std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(explodes(1, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace bellwether
