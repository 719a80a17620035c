#include <bellwether/report/report_data.h>

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/drawn_results.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using nlohmann::json;

std::vector<float> floats(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> static_cast<unsigned>(held -= 8) & 255U);
  }
  std::vector<float> all(bytes.size() / sizeof(float));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(float));
  return all;
}

class ReportData : public ::testing::Test {
 protected:
  std::string text(CurvesKept kept = CurvesKept::all) const {
    const StoreReader reader(file_);
    return report_data({{&reader, "some.db", study_results(reader, reader.studies().at(0))}}, kept);
  }
  json study(CurvesKept kept = CurvesKept::all) const { return json::parse(text(kept))["studies"][0]; }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("results.db");
};

TEST_F(ReportData, HasWhatTheFileHasOfEverySetting) {
  testing::write_small_study(file_, 20);
  StoreWriter(file_).measured_alone(1, 3.5e-6, 4096);
  const json data = study();
  EXPECT_EQ(data["file"], "some.db");
  EXPECT_EQ(data["title"], "Boyan's chain, \"small\"");
  EXPECT_EQ(data["command"], "bellwether sweep boyan.toml");
  EXPECT_EQ(data["metrics"][1], (json{{"name", "rmse"}, {"title", title_of_metric("rmse")}}));
  EXPECT_EQ(data["at"], (json{0, 50, 100}));
  EXPECT_EQ(data["learners"][0]["swept"], json{"alpha"});
  EXPECT_EQ(data["learners"][0]["fixed"], (json{{"lambda", "0"}, {"trace", "accumulating"}}));
  EXPECT_EQ(data["learners"][1]["own"], nullptr);
  const json& settings = data["settings"];
  EXPECT_EQ(settings["values"], (json{{"0.1"}, {"0.2"}, json::array()}));
  EXPECT_EQ(settings["learner"], (json{0, 0, 1}));
  EXPECT_EQ(settings["runs"], (json{20, 20, 20}));
  EXPECT_EQ(settings["diverged"], (json{0, 0, 2}));
  EXPECT_EQ(settings["microseconds"], (json{3.5, nullptr, nullptr}));
  EXPECT_EQ(settings["bytes"], (json{4096, nullptr, nullptr}));
  const StoreReader reader(file_);
  const auto summaries = reader.summarise(reader.studies()[0]);
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(settings["average"][m][i], summaries[i].average[m].mean);
      EXPECT_EQ(settings["average_half_width"][m][i], summaries[i].average[m].half_width);
      EXPECT_EQ(settings["last"][m][i], summaries[i].last[m].mean);
      EXPECT_EQ(settings["last_half_width"][m][i], summaries[i].last[m].half_width);
    }
  }
}

TEST_F(ReportData, HasTheCurvesOfEverySettingAsFloats) {
  testing::write_small_study(file_, 20);
  const json data = study();
  EXPECT_EQ(data["settings"]["curve"], (json{0, 1, 2}));
  const auto numbers = floats(data["curves"]);
  const StoreReader reader(file_);
  std::size_t at = 0;
  ASSERT_EQ(numbers.size(), 3U * 2U * 2U * 3U);
  for (std::int64_t setting = 1; setting <= 3; ++setting) {
    for (const char* metric : {"relative", "rmse"}) {
      const auto curve = reader.curve(setting, metric);
      for (const CurvePoint& point : curve) EXPECT_EQ(numbers[at++], static_cast<float>(point.mean));
      for (const CurvePoint& point : curve) EXPECT_EQ(numbers[at++], static_cast<float>(point.half_width()));
    }
  }
}

TEST_F(ReportData, HasWhatTheRulesOfRankingAndFiguresComeTo) {
  testing::write_small_study(file_, 20);
  const json data = study();
  const StoreReader reader(file_);
  const StudyResults results = study_results(reader, reader.studies().at(0));
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(data["rankings"]["average"][m][0], json(ranked(results, 0, {m, &Summary::average})));
    EXPECT_EQ(data["rankings"]["last"][m][0], json(ranked(results, 0, {m, &Summary::last})));
    EXPECT_EQ(data["before_learning"][m][0], error_before_learning(reader, results, 0, m));
  }
  EXPECT_EQ(data["parameters"], json::array({{{"name", "alpha"},
                                              {"values", {"0.1", "0.2"}},
                                              {"titles", {"alpha = 0.1", "alpha = 0.2"}},
                                              {"scale", "linear"}}}));
  EXPECT_EQ(data["learners"][0]["dash"], "");
  EXPECT_EQ(data["learners"][0]["shape"], 0);
}

TEST_F(ReportData, ListsTheCurvesThatExplodeByMetric) {
  const testing::Results results({{"A", "td", testing::td("0.1"), 0.5},
                                  {"A", "td", testing::td("0.2"), 0.5, 0, 1, 1000, 1e9},
                                  {"A", "td", testing::td("0.3"), 0.5, testing::seeds}});
  EXPECT_EQ(json::parse(report_data({{&results.reader(), "", *results}}, CurvesKept::all))["studies"][0]["exploding"],
            (json{{1}, json::array()}));
}

TEST_F(ReportData, TellsMetricsThatShouldBeLargeFromErrors) {
  const testing::Results results({{"A", "td", testing::td("0.1"), 30, 0, 1, 1000, 1e3}}, "", "effective_samples");
  const json data = json::parse(report_data({{&results.reader(), "", *results}}, CurvesKept::all))["studies"][0];
  EXPECT_EQ(data["metrics"][0]["larger_is_better"], true);
  EXPECT_FALSE(data["metrics"][1].contains("larger_is_better"));
  EXPECT_EQ(data["exploding"][0], json::array());
  EXPECT_EQ(data["before_learning"][0][0], nullptr);
}

TEST_F(ReportData, KeepsOnlyTheCurvesOfTheBestWhenAsked) {
  testing::write_small_study(file_, 20);
  const json data = study(CurvesKept::best);
  EXPECT_EQ(data["settings"]["curve"], (json{nullptr, 0, 1}));
  EXPECT_EQ(floats(data["curves"]).size(), 2U * 2U * 2U * 3U);
}

TEST_F(ReportData, OfASingleRunHasNoIntervals) {
  testing::write_small_study(file_, 1);
  const json data = study();
  EXPECT_EQ(data["settings"]["average_half_width"][0], (json{nullptr, nullptr, nullptr}));
  EXPECT_TRUE(std::isinf(floats(data["curves"])[3]));
}

TEST_F(ReportData, OfAStudyThatHasNotRunHasNoNumbers) {
  StoreWriter(file_).begin(testing::small_study(), testing::small_settings());
  const json data = study();
  EXPECT_EQ(data["before_learning"], (json{{nullptr}, {nullptr}}));
  EXPECT_EQ(data["exploding"], (json{json::array(), json::array()}));
  EXPECT_EQ(data["settings"]["average"][0], (json{nullptr, nullptr, nullptr}));
  EXPECT_EQ(data["settings"]["curve"], (json{nullptr, nullptr, nullptr}));
  EXPECT_EQ(data["curves"], "");
}

TEST_F(ReportData, KeepsTextsAsTheyAreIfTheyAreUtf8) {
  StudyRecord hostile = testing::small_study();
  hostile.title = "</script><script>alert(1)</script><!--";
  hostile.machine = "not \xff UTF-8";
  StoreWriter(file_).begin(hostile, testing::small_settings());
  EXPECT_EQ(study()["title"], hostile.title);
  EXPECT_EQ(study()["machine"], "not \xef\xbf\xbd UTF-8");
}

}  // namespace
}  // namespace bellwether
