#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <bellwether/experiment/store_writer.h>
#include <bellwether/report/figures.h>

#include "support/drawing.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::Element;
using testing::of_class;
using testing::Place;
using testing::points_of;

/// A setting of a study: what its four runs come to.
struct Row {
  std::string label;
  std::string learner;
  Settings parameters;
  double error = 1;            // over the whole curve, of the second of its runs
  std::uint64_t diverged = 0;  // of the runs, the first ones
  std::optional<double> microseconds = 1;
  std::optional<std::uint64_t> bytes = 1000;
  double last = 0;  // of the curve; 0: half the error
};

constexpr std::uint64_t seeds = 4;

RunRecord run_of(const Row& row, std::uint64_t seed) {
  RunRecord run;
  run.seed = seed;
  if (seed < row.diverged) {
    run.diverged_at = 10;
    return run;
  }
  const double spread = 0.9 + 0.1 * static_cast<double>(seed);
  run.curves = {{1, spread * row.error, spread * (row.last > 0 ? row.last : row.error / 2)}, {10, 9, 8 + spread}};
  run.average = {spread * row.error, 100 / row.error};
  run.last = {run.curves[0].back(), run.curves[1].back()};
  return run;
}

/// A file of results with these settings, read back.
class Results {
 public:
  explicit Results(const std::vector<Row>& rows, const std::string& source = "") {
    StudyRecord study = testing::small_study(seeds);
    study.source = source;
    std::vector<SettingRecord> settings;
    for (const Row& row : rows) {
      settings.push_back({"boyan_chain", {{"size", "13"}}, "", {}, row.label, row.learner, row.parameters, 4, 2});
    }
    {
      StoreWriter store(folder_.path("a.db"));
      const auto begun = store.begin(study, settings);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        BlockResult block{begun.settings[i], 0, {}, {}};
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          block.runs.push_back(run_of(rows[i], seed));
          if (!block.runs.back().diverged_at) add(block.curves, block.runs.back().curves);
        }
        store.commit({&block, 1});
        if (rows[i].microseconds) {
          store.measured_alone(begun.settings[i], 1e-6 * *rows[i].microseconds, rows[i].bytes);
        }
      }
      store.close();
    }
    reader_.emplace(folder_.path("a.db"));
    results_ = study_results(*reader_, reader_->studies().at(0));
  }

  std::string text(const Figure& figure) const { return draw(*reader_, results_, 0, figure); }
  Element drawn(const Figure& figure) const { return testing::parse_xml(text(figure)); }
  const StudyResults& operator*() const { return results_; }
  const StoreReader& reader() const { return *reader_; }
  double error(std::size_t row, std::size_t metric = 0) const { return results_.settings[row].average[metric].mean; }

 private:
  testing::TemporaryFolder folder_;
  std::optional<StoreReader> reader_;
  StudyResults results_;
};

Figure figure_of(Shows shows, const std::string& x = "") {
  Figure figure;
  figure.title = "Title";
  figure.shows = shows;
  figure.x = x;
  return figure;
}

std::vector<std::string> legend_of(const Element& svg) { return testing::texts(*of_class(svg, "legend").at(0)); }

bool says(const Element& svg, const std::string& words) {
  std::string all;
  for (const std::string& text : testing::texts(svg)) all += text + " ";
  return all.find(words) != std::string::npos;
}

/// Places as values, through what the axes of the first panel say.
std::vector<Place> values_of(const Element& svg, std::vector<Place> places, Axis x, Axis y = Axis::log) {
  const auto& panel = *of_class(svg, "panel").at(0);
  const auto across = testing::x_ruler(panel, x);
  const auto up = testing::y_ruler(panel, y);
  for (Place& p : places) p = {across.value(p.first), up.value(p.second)};
  return places;
}

void expect_close(const std::vector<Place>& values, const std::vector<Place>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i].first, expected[i].first, 0.01 * std::abs(expected[i].first) + 0.003) << i;
    EXPECT_NEAR(values[i].second, expected[i].second, 0.01 * expected[i].second) << i;
  }
}

Settings td(const std::string& alpha, const std::string& lambda = "0", const std::string& trace = "accumulating") {
  return {{"alpha", alpha}, {"lambda", lambda}, {"trace", trace}};
}

// Learning curves

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

// Sensitivity

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

// Cost

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
  const Results results({{"A", "td", td("0.1"), 0.5}, {"B", "etd", {}, 0.3, 0, {}, {}}});
  const auto svg = results.drawn(figure_of(Shows::cost));
  EXPECT_EQ(legend_of(svg), (std::vector<std::string>{"A", "Pareto front"}));
  EXPECT_TRUE(says(svg, "not measured: B."));
}

// All of them

TEST(Figures, AreThoseOfTheStudyOrTheThreeUsualOnes) {
  const std::string source = "[[figure]]\ntitle = \"Mine\"\nshows = \"cost\"\nx = \"memory\"\n[scale.quick]\n";
  const Results asked({{"A", "td", td("0.1"), 0.5}}, source);
  ASSERT_EQ(figures_of(*asked).size(), 1U);
  EXPECT_EQ(figures_of(*asked)[0].title, "Mine");
  const Results not_asked({{"A", "td", td("0.1"), 0.5}});
  const auto usual = figures_of(*not_asked);
  ASSERT_EQ(usual.size(), 3U);
  EXPECT_EQ(usual[0].shows, Shows::curves);
  EXPECT_EQ(usual[1].shows, Shows::sensitivity);
  EXPECT_EQ(usual[2].shows, Shows::cost);
  for (const Figure& figure : usual) EXPECT_FALSE(figure.title.empty()) << "by which files are named";
}

TEST(Figures, ThereAreNoneOfNothing) {
  const Results diverged({{"A", "td", td("0.1"), 0.5, seeds}, {"A", "td", td("0.2"), 0.5, seeds}});
  for (const Figure& figure : figures_of(*diverged)) EXPECT_EQ(diverged.text(figure), "") << figure.title;
  const Results unmeasured({{"A", "td", td("0.1"), 0.5, 0, {}, {}}});
  EXPECT_EQ(unmeasured.text(figure_of(Shows::cost)), "");
  EXPECT_EQ(unmeasured.text(figure_of(Shows::curves, "time")), "");
  EXPECT_EQ(unmeasured.text(figure_of(Shows::sensitivity, "lambda")), "") << "of which there is one value";
  EXPECT_NE(unmeasured.text(figure_of(Shows::curves)), "");
  Figure other_metric = figure_of(Shows::curves);
  other_metric.metric = "msbe";
  EXPECT_EQ(unmeasured.text(other_metric), "");
  Figure nobody = figure_of(Shows::curves);
  nobody.learners = {"B"};
  EXPECT_EQ(unmeasured.text(nobody), "");
}

TEST(Figures, ThereAreNoneBeforeTheFirstRun) {
  const testing::TemporaryFolder folder;
  {
    StoreWriter store(folder.path("a.db"));
    store.begin(testing::small_study(), testing::small_settings());
    store.close();
  }
  const StoreReader reader(folder.path("a.db"));
  const auto results = study_results(reader, reader.studies().at(0));
  for (const Figure& figure : figures_of(results)) EXPECT_EQ(draw(reader, results, 0, figure), "");
}

TEST(Figures, AreWellFormedWhateverLabelsHold) {
  const std::string evil = "</text><script>alert(1)</script>&\x02";
  const Results results(
      {{evil, "td", td("0.1"), 0.5}, {evil, "td", td("0.2"), 0.5, 1}, {"b", "etd", {}, 3, 0, 1, 1, 1e9}});
  for (Figure figure : figures_of(*results)) {
    figure.title = evil;
    const auto svg = results.drawn(figure);
    EXPECT_TRUE(testing::of_name(svg, "script").empty());
    EXPECT_EQ(legend_of(svg).at(0), "</text><script>alert(1)</script>&\xef\xbf\xbd");
  }
}

TEST(Figures, SayWhichStudyTheyAreOf) {
  const Results results({{"A", "td", td("0.1"), 0.5}});
  const auto svg = results.drawn(figure_of(Shows::curves));
  for (const char* words : {"Title", "Boyan's chain", "quick", "boyan_chain (size=13), its own features", "4 runs"}) {
    EXPECT_TRUE(says(svg, words)) << words;
  }
}

}  // namespace
}  // namespace bellwether
