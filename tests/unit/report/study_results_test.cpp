#include <bellwether/report/study_results.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

/// Settings of five labels on two cases, none of which has run.
std::vector<SettingRecord> many_settings() {
  std::vector<SettingRecord> all;
  for (const char* size : {"13", "19"}) {
    const Settings chain{{"size", size}};
    for (const char* alpha : {"0.1", "0.2"}) {
      for (const char* lambda : {"0", "0.9"}) {
        const Settings swept{{"alpha", alpha}, {"lambda", lambda}, {"trace", "accumulating"}};
        all.push_back({"boyan_chain", chain, "", {}, "TD", "td", swept, 4, 2});
      }
      all.push_back({"boyan_chain", chain, "", {}, "TD(0)", "td", {{"alpha", alpha}, {"lambda", "0"}}, 4, 2});
    }
    for (const char* eta : {"1e-05", "0.1"}) {
      all.push_back({"boyan_chain", chain, "", {}, "ATD", "atd", {{"alpha", "1"}, {"eta", eta}}, 4, 2});
    }
    all.push_back({"boyan_chain", chain, "", {}, "tLSTD", "tlstd", {{"lambda", "0"}}, 4, 2});
    all.push_back({"boyan_chain", chain, "", {}, "LSTD", "lstd", {{"lambda", "0"}}, 4, 2});
  }
  return all;
}

class StudyResultsTest : public ::testing::Test {
 protected:
  StudyResults read(const std::vector<SettingRecord>& settings, const std::string& source = "") const {
    StudyRecord study = testing::small_study();
    study.source = source;
    StoreWriter(file_).begin(study, settings);
    const StoreReader reader(file_);
    return study_results(reader, reader.studies().at(0));
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("results.db");
};

TEST_F(StudyResultsTest, SortSettingsIntoCasesAndLearners) {
  const StudyResults results = read(many_settings());
  ASSERT_EQ(results.cases.size(), 2U);
  EXPECT_EQ(text_of(results.cases[1]), "boyan_chain (size=19), its own features");
  std::vector<std::string> labels;
  for (const ResultsLearner& learner : results.learners) labels.push_back(learner.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"TD", "TD(0)", "ATD", "tLSTD", "LSTD"}));
  ASSERT_EQ(results.settings.size(), 20U);
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const SettingRecord& record = results.settings[i].setting.record;
    EXPECT_EQ(results.learners[results.learner_of[i]].label, record.label);
    EXPECT_EQ(std::get<1>(results.cases[results.case_of[i]]), record.domain_settings);
  }
}

TEST_F(StudyResultsTest, KnowWhichParametersWereSweptAndWhichIsTheLearnersOwn) {
  const StudyResults results = read(many_settings());
  const auto swept = [&](std::size_t i) { return results.learners[i].swept; };
  EXPECT_EQ(swept(0), (std::vector<std::string>{"alpha", "lambda"}));
  EXPECT_EQ(swept(1), std::vector<std::string>{"alpha"});
  EXPECT_EQ(swept(2), std::vector<std::string>{"eta"});
  EXPECT_TRUE(swept(3).empty());
  EXPECT_EQ(results.learners[0].own, "alpha");
  EXPECT_EQ(results.learners[2].own, "eta");
  EXPECT_EQ(results.learners[3].own, "");
}

TEST_F(StudyResultsTest, TakeTheFirstOfTheOwnParametersThatALearnerSweeps) {
  std::vector<SettingRecord> settings;
  for (const char* value : {"1", "2"}) {
    settings.push_back({"boyan_chain", {}, "", {}, "A", "a", {{"inverse_init", value}, {"eta", value}}, 4, 2});
    settings.push_back({"boyan_chain", {}, "", {}, "B", "b", {{"lambda", value}, {"rank", value}}, 4, 2});
    for (const std::string& name : own_parameters()) {
      settings.push_back({"boyan_chain", {}, "", {}, name, "c", {{"lambda", value}, {name, value}}, 4, 2});
    }
  }
  const StudyResults results = read(settings);
  EXPECT_EQ(results.learners[0].own, "eta");
  EXPECT_EQ(results.learners[1].own, "");
  EXPECT_EQ(own_parameters(), (std::vector<std::string>{"alpha", "eta", "inverse_init"}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(results.learners[2 + i].own, own_parameters()[i]);
}

TEST_F(StudyResultsTest, ListValuesAsNumbersFromTheSmallestAndThenOtherTexts) {
  std::vector<SettingRecord> settings;
  for (const char* value : {"10", "auto", "2", "1e-05", "none", "2"}) {
    settings.push_back({"boyan_chain", {}, "", {}, "A", "a", {{"rank", value}, {"n", "1"}}, 4, 2});
    settings.push_back({"boyan_chain", {}, "", {}, "B", "b", {{"rank", "7"}, {"lambda", value}}, 4, 2});
  }
  const StudyResults results = read(settings);
  std::vector<std::size_t> all(results.settings.size());
  std::iota(all.rbegin(), all.rend(), std::size_t{0});
  EXPECT_EQ(values_of(results, all, "rank"), (std::vector<std::string>{"1e-05", "2", "10", "auto", "none"}))
      << "without the 7 of a learner that does not sweep it";
  EXPECT_TRUE(values_of(results, all, "n").empty());
}

TEST_F(StudyResultsTest, GiveEveryLabelALookOfItsOwn) {
  const StudyResults results = read(many_settings());
  EXPECT_EQ(results.learners[2].colour, 0U) << "accelerated TD is ink, in whatever place it stands";
  EXPECT_EQ(results.learners[4].colour, 1U);
  EXPECT_EQ(results.learners[0].colour, results.learners[1].colour) << "one learner, two labels";
  EXPECT_NE(results.learners[0].dash, results.learners[1].dash);
  EXPECT_NE(results.learners[3].colour, results.learners[0].colour);
}

TEST_F(StudyResultsTest, OfMoreLearnersThanColoursDifferInDash) {
  std::vector<SettingRecord> settings;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "learner" + std::to_string(i);
    settings.push_back({"boyan_chain", {}, "", {}, name, name, {}, 4, 2});
  }
  const StudyResults results = read(settings);
  std::vector<std::pair<std::size_t, std::size_t>> looks;
  for (const ResultsLearner& learner : results.learners) looks.emplace_back(learner.colour, learner.dash);
  std::sort(looks.begin(), looks.end());
  EXPECT_EQ(std::adjacent_find(looks.begin(), looks.end()), looks.end());
}

TEST_F(StudyResultsTest, CarryWhatTheStudyFileSays) {
  const StudyResults results = read(many_settings(),
                                    "about = \"A chain\"\n[[figure]]\ntitle = \"One\"\n"
                                    "[scale.quick.run]\nseeds = 3\n");
  EXPECT_EQ(results.about, "A chain");
  ASSERT_EQ(results.figures.size(), 1U);
  EXPECT_EQ(results.figures[0].title, "One");
}

TEST_F(StudyResultsTest, AreRankedByDivergedRunsAndThenByError) {
  testing::write_small_study(file_, 20);
  const StoreReader reader(file_);
  const StudyResults results = study_results(reader, reader.studies().at(0));
  // Setting 1 has the smaller error of the two of td; two runs of setting 2, of the smallest error, diverged.
  EXPECT_EQ(ranked(results, 0, {}), (std::vector<std::size_t>{1, 0, 2}));
  EXPECT_EQ(best_of_learners(results, ranked(results, 0, {})), (std::vector<std::size_t>{1, 2}));
}

/// A case of settings with these runs, diverged runs and errors.
StudyResults results_of(const std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>& settings) {
  StudyResults results;
  results.study.record.metrics = {"rmse"};
  for (const auto& [runs, diverged, error] : settings) {
    Summary& summary = results.settings.emplace_back();
    summary.runs = runs;
    summary.diverged = diverged;
    summary.average = {{error, 0, runs - diverged}};
    results.case_of.push_back(0);
    results.learner_of.push_back(0);
  }
  return results;
}

TEST(RankingOfSettings, PutsAShareOfDivergedRunsBeforeTheErrorAndWhatHasNoErrorLast) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const StudyResults results =
      results_of({{10, 1, 0.1}, {10, 0, 0.5}, {10, 0, 0.3}, {10, 0, 0.3}, {20, 1, 0.05}, {10, 10, none}, {0, 0, none}});
  EXPECT_EQ(ranked(results, 0, {}), (std::vector<std::size_t>{2, 3, 1, 4, 0, 5, 6}));
}

TEST_F(StudyResultsTest, KnowTheErrorBeforeLearning) {
  testing::write_small_study(file_, 20);
  const StoreReader reader(file_);
  StudyResults results = study_results(reader, reader.studies().at(0));
  EXPECT_EQ(error_before_learning(reader, results, 0, 1), reader.curve(2, "rmse").front().mean)
      << "of the best setting";
  results.study.record.at.front() = 50;
  EXPECT_EQ(error_before_learning(reader, results, 0, 1), infinity) << "step 0 was not recorded";
}

}  // namespace
}  // namespace bellwether
