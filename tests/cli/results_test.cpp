// What people do with a file of results: `bellwether results` and `bellwether export`.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <bellwether/report/held_out.h>
#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

#include "cli/program.h"
#include "support/results.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::bellwether;
using testing::Finished;
using testing::read_file;
using testing::write_small_study;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

/// Cells of a line that needs no quotes.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all{""};
  for (const char c : line) {
    if (c == ',') all.emplace_back();
    else all.back() += c;
  }
  return all;
}

/// The small study; its first setting was measured.
class Results : public ::testing::Test {
 protected:
  Results() {
    write_small_study(file_, 20, true);
    StoreWriter(file_).measured_alone(1, 3.5e-6, 4096);
  }

  Finished results(const std::string& options = "") const { return bellwether("results " + file_ + " " + options); }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
};

TEST_F(Results, ShowEverySettingBestFirst) {
  const Finished shown = results();
  EXPECT_EQ(shown.code, 0) << shown.err;
  const auto text = lines(shown.out);
  ASSERT_EQ(text.size(), 11U) << shown.out;
  EXPECT_EQ(text[0], "Boyan's chain, \"small\" (boyan, quick)");
  EXPECT_EQ(text[1], "steps=100 every=50 seed=1");
  EXPECT_EQ(text[2], "3 settings, 60 of 60 runs done, 2 diverged");
  EXPECT_EQ(text[4], "boyan_chain (size=13), its own features");
  EXPECT_TRUE(std::regex_match(text[6], std::regex("# +id +learner +setting +relative error +\\+- .*"))) << text[6];
  EXPECT_TRUE(std::regex_match(text[8], std::regex("1 +2 +td +alpha=0.2 +0.568.* 0/20 +-"))) << text[8];
  EXPECT_TRUE(std::regex_match(text[9], std::regex("2 +1 +td +alpha=0.1 +0.790.* 0/20 +3.5"))) << text[9];
}

TEST_F(Results, PutSettingsWithFewerDivergedRunsBeforeSmallerErrors) {
  const auto text = lines(results().out);
  ASSERT_EQ(text.size(), 11U);
  EXPECT_TRUE(std::regex_match(text.back(), std::regex("3 +3 +lstd +0.493.* 2/20 +-"))) << text.back();
}

TEST_F(Results, OfTheBestHaveOneRowPerLearner) {
  const auto table = lines(results("--best --csv --metric rmse").out);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(cells(table[1])[9], "td");
  EXPECT_EQ(cells(table[2])[9], "lstd");
}

TEST_F(Results, CanBeRankedByTheLastErrorAndByAnotherMetric) {
  // Setting 1 ends lower than setting 2, though it is worse on average.
  {
    StoreWriter store(file_);
    for (const std::uint64_t b : {0U, 1U}) {
      BlockResult block = testing::small_block(1, 0, b, 20);
      for (RunRecord& run : block.runs) run.last = {0.001, 99};
      store.commit({&block, 1});
    }
  }
  const auto first = [&](const std::string& options) { return cells(lines(results("--csv " + options).out)[1])[4]; };
  EXPECT_EQ(first("--metric relative"), "2");
  EXPECT_EQ(first("--metric relative --by last"), "1");
  EXPECT_EQ(first("--metric rmse --by last"), "2");
}

TEST_F(Results, AsCsvCarryEveryMetricOfEverySettingBitForBit) {
  const auto table = lines(results("--csv").out);
  ASSERT_EQ(table.size(), 7U);
  EXPECT_EQ(table[0],
            "study,scale,metric,rank,setting,domain,domain_settings,features,feature_settings,label,learner,average,"
            "average_half_width,last,last_half_width,runs,planned,diverged,microseconds,bytes,dim,max_active,"
            "p_alpha,p_lambda,p_trace,p_eta");
  const StoreReader reader(file_);
  const auto summaries = reader.summarise(reader.studies()[0]);
  for (std::size_t i = 1; i < table.size(); ++i) {
    const auto row = cells(table[i]);
    ASSERT_EQ(row.size(), cells(table[0]).size());
    const Summary& summary = summaries.at(std::stoul(row[4]) - 1);
    const std::size_t m = row[2] == "rmse" ? 1 : 0;
    EXPECT_EQ(std::stod(row[11]), summary.average[m].mean);
    EXPECT_EQ(std::stod(row[12]), summary.average[m].half_width);
    EXPECT_EQ(std::stod(row[13]), summary.last[m].mean);
    EXPECT_EQ(std::stod(row[14]), summary.last[m].half_width);
    EXPECT_EQ(std::stoul(row[17]), summary.diverged);
    EXPECT_EQ(row[18], summary.setting.id == 1 ? "3.5" : "");
  }
}

TEST_F(Results, AsJsonCarryTheSame) {
  const auto all = nlohmann::json::parse(results("--json").out);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["study"], "boyan");
  EXPECT_EQ(all[0]["protocol"]["steps"], "100");
  ASSERT_EQ(all[0]["rows"].size(), 6U);
  const auto& row = all[0]["rows"][1];
  EXPECT_EQ(row["setting"], 1);
  EXPECT_EQ(row["rank"], 2);
  EXPECT_EQ(row["parameters"]["alpha"], "0.1");
  EXPECT_EQ(row["microseconds"], 3.5);
  EXPECT_EQ(row["bytes"], 4096);
  const StoreReader reader(file_);
  EXPECT_EQ(row["average"]["mean"], reader.summarise(reader.studies()[0])[0].average[0].mean);
}

TEST_F(Results, OfOneLearnerLeaveTheOthersOut) {
  const auto table = lines(results("--learner lstd --csv").out);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(cells(table[1])[9], "lstd");
  EXPECT_EQ(cells(table[1])[3], "1");
}

TEST_F(Results, OfOneStudyLeaveTheOthersOut) {
  {
    StoreWriter store(file_);
    StudyRecord other = testing::small_study();
    other.name = "empty";
    store.begin(other, testing::small_settings());
  }
  const std::string both = results().out;
  EXPECT_NE(both.find("(boyan, quick)"), std::string::npos);
  EXPECT_NE(both.find("(empty, quick)"), std::string::npos);
  const std::string one = results("--study empty").out;
  EXPECT_EQ(one.find("(boyan, quick)"), std::string::npos);
  EXPECT_NE(one.find("3 settings, 0 of 60 runs done, 0 diverged\n"), std::string::npos) << one;
  EXPECT_NE(one.find("0.0 % are here"), std::string::npos);
  EXPECT_EQ(results("--study empty --csv").code, 0);
  EXPECT_NE(results("--study empty --json").out.find("\"mean\": null"), std::string::npos);
}

TEST_F(Results, OfAPartOfAStudySayHowMuchIsThere) {
  StudyRecord study = testing::small_study(40);
  study.keeps_curves = true;
  StoreWriter(file_).begin(study, testing::small_settings());
  const std::string text = results().out;
  EXPECT_NE(text.find("60 of 120 runs done"), std::string::npos) << text;
  EXPECT_NE(text.find("the study is not complete: 50.0 % are here"), std::string::npos) << text;
}

TEST_F(Results, OfAStudyThatNowHasFewerSeedsAreComplete) {
  StudyRecord study = testing::small_study(5);
  study.keeps_curves = true;
  StoreWriter(file_).begin(study, testing::small_settings());
  const std::string text = results().out;
  EXPECT_NE(text.find("15 of 15 runs done"), std::string::npos) << text;
  EXPECT_EQ(text.find("not complete"), std::string::npos) << text;
}

/// Blocks of setting 1 whose curves begin at 0.5 and whose last values are these.
void end_with(const std::string& file, double relative, double rmse) {
  StoreWriter store(file);
  for (const std::uint64_t b : {0U, 1U}) {
    BlockResult block = testing::small_block(1, 0, b, 20, true);
    for (RunRecord& run : block.runs) run.last = {relative, rmse};
    for (auto& curve : block.curves.mean) curve.front() = 0.5;
    store.commit({&block, 1});
  }
}

TEST_F(Results, MarkErrorsThatHaveGrownAMillionfold) {
  end_with(file_, 0.49e6, 1e48);
  const std::string calm = results().out;
  EXPECT_EQ(calm.find('!'), std::string::npos) << calm;
  const std::string rmse = results("--metric rmse").out;
  EXPECT_NE(rmse.find("1 of the settings ends with an error more than a million times that of the start: marked !\n"),
            std::string::npos)
      << rmse;
  EXPECT_NE(rmse.find(" 1e+48! "), std::string::npos) << rmse;
}

TEST_F(Results, RankEffectiveSamplesByTheLargest) {
  const std::string file = folder_.path("samples.db");
  StudyRecord study = testing::small_study(10);
  study.metrics = {"effective_samples"};
  {
    StoreWriter store(file);
    const auto begun = store.begin(study, testing::small_settings());
    for (std::size_t i = 0; i < 3; ++i) {
      BlockResult block = testing::small_block(begun.settings[i], i, 0, 10);
      for (RunRecord& run : block.runs) {
        run.diverged_at.reset();
        run.average = {static_cast<double>(i + 1)};
        run.last = {1e9};
      }
      block.curves = {};
      for (std::size_t r = 0; r < block.runs.size(); ++r) add(block.curves, Curves{{0, 1, 2}});
      store.commit({&block, 1});
    }
  }
  const Finished shown = bellwether("results " + file + " --csv");
  const auto table = lines(shown.out);
  ASSERT_EQ(table.size(), 4U) << shown.err;
  for (std::size_t rank = 1; rank <= 3; ++rank) EXPECT_EQ(cells(table[rank])[11], std::to_string(4 - rank));
  EXPECT_EQ(bellwether("results " + file).out.find('!'), std::string::npos) << "more samples are no growing error";
}

TEST_F(Results, OfHeldOutSeedsHaveOneRowPerLearnerAndDifferencesToAReference) {
  const Finished shown = results("--held-out --against lstd");
  EXPECT_EQ(shown.code, 0) << shown.err;
  const auto text = lines(shown.out);
  ASSERT_EQ(text.size(), 12U) << shown.out;
  EXPECT_EQ(text[3],
            "settings chosen on seeds 0, 2, 4, ... by the error over the whole curve; errors are those of seeds 1, 3, "
            "5, ..., with 95 % intervals");
  EXPECT_EQ(text[6], "differences, seed by seed, to lstd");
  EXPECT_TRUE(std::regex_match(text[10], std::regex("1 +2 +td +alpha=0.2 .* 0/10 +- +-"))) << text[10];
  EXPECT_TRUE(std::regex_match(text[11], std::regex("2 +3 +lstd .* 0 +0 +1.000 .* 0 +0 +1.000 +2/10 +- +-")))
      << text[11];
}

TEST_F(Results, OfHeldOutSeedsHaveARowForEachValueOfAParameter) {
  const Finished shown = results("--held-out --per alpha --against 'td, alpha=0.1'");
  EXPECT_EQ(shown.code, 0) << shown.err;
  const auto text = lines(shown.out);
  ASSERT_EQ(text.size(), 13U) << shown.out;
  EXPECT_EQ(text[6], "differences, seed by seed, to td, alpha=0.1");
  for (const char* row : {"td, alpha=0.1", "td, alpha=0.2", "lstd "}) {
    EXPECT_NE(shown.out.find(std::string("  ") + row), std::string::npos) << row;
  }
}

TEST_F(Results, OfHeldOutSeedsAsCsvAndJsonCarryTheLibrarysNumbersForEveryMetric) {
  const StoreReader reader(file_);
  const StudyResults study = study_results(reader, reader.studies()[0]);
  const auto table = lines(results("--held-out --by last --csv").out);
  const auto all = nlohmann::json::parse(results("--held-out --by last --json").out);
  ASSERT_EQ(table.size(), 5U);
  ASSERT_EQ(all.size(), 4U);
  const auto titles = cells(table[0]);
  const auto column = [&](const std::string& title) {
    return static_cast<std::size_t>(std::find(titles.begin(), titles.end(), title) - titles.begin());
  };
  for (std::size_t i = 0; i < 4; ++i) {
    const HeldOutCase judged = held_out(reader, study, 0, {i / 2, &Summary::last});
    const HeldOutLearner& learner = judged.learners[i % 2];
    const auto row = cells(table[i + 1]);
    ASSERT_EQ(row.size(), titles.size());
    EXPECT_EQ(row[column("metric")], i < 2 ? "relative" : "rmse");
    EXPECT_EQ(row[column("reference")], "td") << "the best";
    EXPECT_EQ(std::stod(row[column("average")]), learner.average.value.mean);
    EXPECT_EQ(std::stod(row[column("last_difference")]), learner.last.difference.mean);
    EXPECT_EQ(std::stod(row[column("last_difference_half_width")]), learner.last.difference.half_width);
    EXPECT_EQ(std::stod(row[column("average_ratio")]), learner.average.ratio);
    EXPECT_EQ(std::stoul(row[column("diverged")]), learner.diverged);
    EXPECT_EQ(all[i]["by"], "last");
    EXPECT_EQ(all[i]["last"]["mean"], learner.last.value.mean);
    EXPECT_EQ(all[i]["last"]["difference"]["half_width"], learner.last.difference.half_width);
    EXPECT_EQ(all[i]["average"]["ratio"], learner.average.ratio);
  }
}

TEST_F(Results, HaveTheDigestOfTheirContent) {
  const std::string before = results("--digest").out;
  EXPECT_TRUE(std::regex_match(before, std::regex("[0-9a-f]{16}  boyan quick\n"))) << before;
  StoreWriter(file_).measured_alone(2, 1, 1);
  EXPECT_EQ(results("--digest").out, before);
  const BlockResult block = testing::small_block(1, 0, 1, 19, true);
  StoreWriter(file_).commit({&block, 1});
  EXPECT_NE(results("--digest").out, before);
}

TEST_F(Results, AreExportedAsTablesWithTheirTypes) {
  const std::string out = folder_.path("tables");
  const Finished done = bellwether("export " + file_ + " -o " + out);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, file_ +
                          ": studies 1 row, settings 3 rows, runs 60 rows, scores 116 rows, curves 18 rows, run_curves "
                          "348 rows in " +
                          out + "\n");
  const auto schema = nlohmann::json::parse(read_file(out + "/schema.json"));
  EXPECT_EQ(schema.size(), 6U);
  for (const auto& [name, columns] : schema.items()) {
    std::string titles;
    for (const auto& column : columns) titles += (titles.empty() ? "" : ",") + column["name"].get<std::string>();
    EXPECT_EQ(lines(read_file(out + "/" + name + ".csv"))[0], titles);
  }
  EXPECT_EQ(lines(read_file(out + "/settings.csv"))[1],
            "1,1,boyan_chain,own,td,td,4,2,3.5,4096,13,0.1,0,accumulating,");
  EXPECT_EQ(schema["settings"][11]["type"], "double");
  EXPECT_EQ(schema["settings"][13]["type"], "string");
  EXPECT_EQ(lines(read_file(out + "/runs.csv")).size(), 61U);
  EXPECT_EQ(lines(read_file(out + "/scores.csv")).size(), 1 + 2 * 58U);
  EXPECT_EQ(lines(read_file(out + "/run_curves.csv")).size(), 1 + 6 * 58U);
  EXPECT_NE(read_file(out + "/studies.csv").find(R"("Boyan's chain, ""small""")"), std::string::npos);

  const auto curves = lines(read_file(out + "/curves.csv"));
  ASSERT_EQ(curves.size(), 1 + 3 * 2 * 3U);
  const auto row = cells(curves[2]);
  const CurvePoint point = StoreReader(file_).curve(1, "relative")[1];
  EXPECT_EQ(row[1], "relative");
  EXPECT_EQ(row[2], "50");
  EXPECT_EQ(std::stod(row[3]), point.mean);
  EXPECT_EQ(std::stod(row[4]), point.variance);
}

TEST_F(Results, AreExportedTableByTableOnRequestAndNeverOverASurprise) {
  const std::string out = folder_.path("tables");
  const std::string command = "export " + file_ + " -o " + out + " --table runs --table scores";
  EXPECT_EQ(bellwether(command).code, 0);
  EXPECT_TRUE(fs::exists(out + "/runs.csv"));
  EXPECT_FALSE(fs::exists(out + "/curves.csv"));
  std::ofstream(out + "/runs.csv") << "mine";
  const Finished again = bellwether(command);
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("is there already; --force overwrites it"), std::string::npos) << again.err;
  EXPECT_EQ(read_file(out + "/runs.csv"), "mine");
  EXPECT_EQ(bellwether(command + " --force").code, 0);
  EXPECT_NE(read_file(out + "/runs.csv"), "mine");
  for (const auto& entry : fs::directory_iterator(out)) EXPECT_NE(entry.path().extension(), ".partial");
}

TEST_F(Results, AreNotOverwrittenByTheirOwnTables) {
  const std::string out = folder_.path("tables"), before = read_file(file_);
  fs::create_directory(out);
  fs::create_symlink(file_, out + "/curves.csv");
  const Finished done = bellwether("export " + file_ + " -o " + out + " --force");
  EXPECT_EQ(done.code, 2);
  EXPECT_NE(done.err.find("boyan.db would be overwritten"), std::string::npos) << done.err;
  EXPECT_EQ(read_file(file_), before);
}

struct Mistake {
  const char* what;
  const char* arguments;  // FILE stands for a file of results, DIR for the folder it is in
  int code;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.arguments; }

class EveryMistakeWithResults : public ::testing::TestWithParam<Mistake> {};

TEST_P(EveryMistakeWithResults, GetsOneClearLine) {
  const testing::TemporaryFolder folder;
  write_small_study(folder.path("FILE"), 10);
  std::ofstream(folder.path("text")) << std::string(1000, 'x');
  std::string arguments = std::regex_replace(GetParam().arguments, std::regex("FILE"), folder.path("FILE"));
  arguments = std::regex_replace(arguments, std::regex("DIR"), folder.path());
  const Finished finished = bellwether(arguments);
  EXPECT_EQ(finished.code, GetParam().code);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_NE(finished.err.find(GetParam().message), std::string::npos) << finished.err;
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, EveryMistakeWithResults,
    ::testing::Values(
        Mistake{"NoFile", "results", 2, "FILE is required"},
        Mistake{"NoSuchFile", "results DIR/no.db", 1, "no.db: No such file or directory"},
        Mistake{"ADirectory", "results DIR", 2, "is a directory, not a file of results"},
        Mistake{"NotADatabase", "results DIR/text", 2, "text is not a file of results"},
        Mistake{"UnknownStudy", "results FILE --study boyn", 2, "has no study 'boyn'; did you mean 'boyan'?"},
        Mistake{"UnknownLearner", "results FILE --learner tdd", 2, "has no learner 'tdd'; did you mean 'td'?"},
        Mistake{"QuotedLabels", "results FILE --learner foo", 2, "has no learner 'foo' (it has: '"},
        Mistake{"UnknownMetric", "results FILE --metric rms", 2, "has no metric 'rms'; did you mean 'rmse'?"},
        Mistake{"UnknownOrder", "results FILE --by lst", 2, "by = 'lst' is not one of average, last"},
        Mistake{"CsvAndJson", "results FILE --csv --json", 2, "excludes"},
        Mistake{"UnknownReference", "results FILE --held-out --against ltd", 2, "has no label 'ltd'; did you mean"},
        Mistake{"ReferenceForNothing", "results FILE --against td", 2, "--against requires --held-out"},
        Mistake{"ParameterThatIsNotSwept", "results FILE --held-out --per lambda", 2,
                "has no swept parameter 'lambda'"},
        Mistake{"ParameterForNothing", "results FILE --per alpha", 2, "--per requires --held-out"},
        Mistake{"HeldOutAndOneLearner", "results FILE --held-out --learner td", 2, "excludes"},
        Mistake{"HeldOutAndDigest", "results FILE --held-out --digest", 2, "excludes"},
        Mistake{"DigestAndCsv", "results FILE --csv --digest", 2, "excludes"},
        Mistake{"ExportWithoutAFolder", "export FILE", 2, "--out is required"},
        Mistake{"ExportOfNoSuchFile", "export DIR/no.db -o DIR/out", 1, "No such file or directory"},
        Mistake{"ExportOfAnUnknownTable", "export FILE -o DIR/out --table run", 2,
                "there is no table 'run'; did you mean 'runs'?"},
        Mistake{"ExportToAFile", "export FILE -o DIR/text", 2, "text is not a folder"},
        Mistake{"ExportBelowAFile", "export FILE -o DIR/text/out", 1, "cannot make"}),
    [](const auto& tested) { return std::string(tested.param.what); });

}  // namespace
}  // namespace bellwether
