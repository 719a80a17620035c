#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::content;
using testing::rejection;
using testing::small_block;
using testing::small_run;
using testing::small_settings;
using testing::small_study;
using testing::TemporaryFolder;
using testing::write_small_study;

class Store : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
};

TEST_F(Store, ReadsBackEveryFieldOfStudyAndSettings) {
  write_small_study(file_);
  const StoreReader reader(file_);
  const auto studies = reader.studies();
  ASSERT_EQ(studies.size(), 1U);
  const StudyRecord& study = studies[0].record;
  const StudyRecord given = small_study();
  EXPECT_EQ(study.name, given.name);
  EXPECT_EQ(study.title, given.title);
  EXPECT_EQ(study.scale, given.scale);
  EXPECT_EQ(study.source, given.source);
  EXPECT_EQ(study.protocol, given.protocol);
  EXPECT_EQ(study.seeds, given.seeds);
  EXPECT_EQ(study.metrics, given.metrics);
  EXPECT_EQ(study.at, given.at);
  EXPECT_EQ(study.keeps_curves, given.keeps_curves);
  EXPECT_EQ(study.version, given.version);
  EXPECT_EQ(study.machine, given.machine);
  EXPECT_EQ(study.command, given.command);
  EXPECT_EQ(studies[0].created.size(), std::string("2026-01-31T12:00:00Z").size());

  const auto settings = reader.settings(studies[0].id);
  ASSERT_EQ(settings.size(), small_settings().size());
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const SettingRecord& setting = settings[i].record;
    const SettingRecord expected = small_settings()[i];
    EXPECT_EQ(setting.domain, expected.domain);
    EXPECT_EQ(setting.domain_settings, expected.domain_settings);
    EXPECT_EQ(setting.features, expected.features);
    EXPECT_EQ(setting.feature_settings, expected.feature_settings);
    EXPECT_EQ(setting.learner, expected.learner);
    EXPECT_EQ(setting.parameters, expected.parameters);
    EXPECT_EQ(setting.dim, expected.dim);
    EXPECT_EQ(setting.max_active, expected.max_active);
    EXPECT_EQ(settings[i].microseconds, std::nullopt);
    EXPECT_EQ(settings[i].bytes, std::nullopt);
  }
}

TEST_F(Store, ReadsBackEveryBitOfEveryRun) {
  write_small_study(file_, 13, true);
  const StoreReader reader(file_);
  const auto settings = reader.settings(reader.studies()[0].id);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto runs = reader.runs(settings[i].id);
    ASSERT_EQ(runs.size(), 13U);
    for (std::size_t seed = 0; seed < runs.size(); ++seed) {
      const RunRecord expected = small_run(i, seed, true);
      EXPECT_EQ(runs[seed].seed, seed);
      EXPECT_EQ(runs[seed].diverged_at, expected.diverged_at);
      EXPECT_EQ(runs[seed].seconds, expected.seconds);
      EXPECT_EQ(runs[seed].average, expected.average);
      EXPECT_EQ(runs[seed].last, expected.last);
      EXPECT_EQ(runs[seed].curves, expected.curves);
    }
  }
}

TEST_F(Store, KeepsInfinityAndWhatIsNotANumber) {
  {
    StoreWriter store(file_);
    const auto begun = store.begin(small_study(1), small_settings());
    BlockResult block = small_block(begun.settings[0], 0, 0, 1);
    block.runs[0].average = {std::nan(""), infinity};
    block.curves.mean[0] = {std::nan(""), infinity, -0.0};
    store.commit({&block, 1});
  }
  const StoreReader reader(file_);
  const RunRecord run = reader.runs(1).at(0);
  EXPECT_TRUE(std::isnan(run.average[0]));
  EXPECT_EQ(run.average[1], infinity);
  const auto curve = reader.curve(1, "relative");
  EXPECT_TRUE(std::isnan(curve[0].mean));
  EXPECT_EQ(curve[1].mean, infinity);
  EXPECT_TRUE(std::signbit(curve[2].mean));
}

TEST_F(Store, CurvesAreMeansAndVariancesOverTheRunsThatDidNotDiverge) {
  write_small_study(file_, 25);
  const StoreReader reader(file_);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t m = 0; m < 2; ++m) {
      const auto curve = reader.curve(static_cast<std::int64_t>(i) + 1, small_study().metrics[m]);
      ASSERT_EQ(curve.size(), 3U);
      for (std::size_t point = 0; point < 3; ++point) {
        std::vector<double> sample;
        for (std::uint64_t seed = 0; seed < 25; ++seed) {
          const RunRecord run = small_run(i, seed, true);
          if (!run.diverged_at) sample.push_back(run.curves[m][point]);
        }
        const Estimate e = estimate(sample);
        const auto n = static_cast<double>(sample.size());
        EXPECT_EQ(curve[point].runs, i == 2 ? 22U : 25U);
        EXPECT_NEAR(curve[point].mean, e.mean, 1e-14 * std::abs(e.mean));
        EXPECT_NEAR(student_t_95(sample.size() - 1) * std::sqrt(curve[point].variance / n), e.half_width, 1e-14);
      }
    }
  }
  EXPECT_TRUE(reader.curve(1, "mspbe").empty());
  EXPECT_TRUE(reader.curve(99, "rmse").empty());
}

TEST_F(Store, SummariesAreTheEstimatesOfTheScoresInTheOrderOfSeeds) {
  write_small_study(file_, 25);
  {
    StoreWriter store(file_);
    store.measured_alone(2, 3.5e-6, 4096);
  }
  const StoreReader reader(file_);
  const auto summaries = reader.summarise(reader.studies()[0]);
  ASSERT_EQ(summaries.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t m = 0; m < 2; ++m) {
      std::vector<double> average;
      std::vector<double> last;
      for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const RunRecord run = small_run(i, seed);
        if (run.diverged_at) continue;
        average.push_back(run.average[m]);
        last.push_back(run.last[m]);
      }
      EXPECT_EQ(summaries[i].average[m].mean, estimate(average).mean);
      EXPECT_EQ(summaries[i].average[m].half_width, estimate(average).half_width);
      EXPECT_EQ(summaries[i].last[m].mean, estimate(last).mean);
      EXPECT_EQ(summaries[i].last[m].runs, last.size());
    }
    EXPECT_EQ(summaries[i].runs, 25U);
    EXPECT_EQ(summaries[i].diverged, i == 2 ? 3U : 0U);
  }
  EXPECT_EQ(summaries[0].setting.microseconds, std::nullopt);
  EXPECT_DOUBLE_EQ(summaries[1].setting.microseconds.value(), 3.5);
  EXPECT_EQ(summaries[1].setting.bytes, 4096U);
}

TEST_F(Store, BetterIsFewerDivergedRunsInProportionThenTheSmallerError) {
  const auto summary = [](std::uint64_t runs, std::uint64_t diverged, double mean) {
    const Estimate e{mean, 0, runs - diverged};
    return Summary{{}, runs, diverged, {e}, {e}, {}};
  };
  const auto before = [](const Summary& a, const Summary& b) { return better(a, b, 0, &Summary::average); };
  EXPECT_TRUE(before(summary(10, 0, 2), summary(10, 1, 1)));
  EXPECT_TRUE(before(summary(20, 1, 2), summary(10, 1, 1)));
  EXPECT_TRUE(before(summary(10, 1, 1), summary(10, 1, 2)));
  EXPECT_FALSE(before(summary(10, 1, 1), summary(10, 1, 1)));
  EXPECT_TRUE(before(summary(10, 9, 5), summary(10, 10, 0))) << "nothing is known of the second";
  EXPECT_TRUE(before(summary(10, 9, 5), summary(0, 0, 0)));
  EXPECT_TRUE(before(summary(10, 9, 5), summary(10, 0, std::nan(""))));
}

TEST_F(Store, SaysWhichBlocksAreThereWithHowManyRuns) {
  StoreWriter store(file_);
  const auto begun = store.begin(small_study(13), small_settings());
  EXPECT_TRUE(store.done(begun.study).empty());
  const std::vector<BlockResult> blocks{small_block(begun.settings[1], 1, 1, 13),
                                        small_block(begun.settings[0], 0, 0, 13)};
  store.commit(blocks);
  const auto done = store.done(begun.study);
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0].setting, begun.settings[0]);
  EXPECT_EQ(done[0].block, 0U);
  EXPECT_EQ(done[0].runs, 10U);
  EXPECT_EQ(done[1].setting, begun.settings[1]);
  EXPECT_EQ(done[1].block, 1U);
  EXPECT_EQ(done[1].runs, 3U);
}

TEST_F(Store, ThatGrewHasTheContentOfOneWrittenAtOnce) {
  write_small_study(file_, 13, true);
  write_small_study(file_, 25, true);
  const std::string at_once = folder_.path("at_once.db");
  write_small_study(at_once, 25, true);
  EXPECT_EQ(content(file_), content(at_once));
}

TEST_F(Store, HasTheSameContentWhateverWasWrittenFirst) {
  write_small_study(file_);
  const std::string other = folder_.path("other.db");
  {
    StoreWriter store(other);
    auto settings = small_settings();
    std::reverse(settings.begin(), settings.end());
    auto study = small_study();
    study.machine = "another";
    const auto begun = store.begin(study, settings);
    std::vector<BlockResult> blocks;
    for (const std::uint64_t b : {1U, 0U}) {
      for (std::size_t i = 0; i < 3; ++i) blocks.push_back(small_block(begun.settings[2 - i], i, b, 20));
    }
    store.commit(blocks);
    store.measured_alone(begun.settings[0], 1e-6, 100);
  }
  EXPECT_EQ(content(file_), content(other));
  const StoreReader a(file_);
  const StoreReader b(other);
  EXPECT_EQ(a.digest(a.studies()[0]), b.digest(b.studies()[0]));
}

TEST_F(Store, HasAnotherDigestWhenOneBitOfOneCurveDiffers) {
  write_small_study(file_);
  const auto digest = [&] {
    const StoreReader reader(file_);
    return reader.digest(reader.studies()[0]);
  };
  const std::string before = digest();
  {
    StoreWriter store(file_);
    BlockResult block = small_block(1, 0, 1, 20);
    double& value = block.curves.m2[1][2];
    value = std::nextafter(value, 1);
    store.commit({&block, 1});
  }
  EXPECT_NE(digest(), before);
  {
    StoreWriter store(file_);
    const BlockResult block = small_block(1, 0, 1, 20);
    store.commit({&block, 1});
  }
  EXPECT_EQ(digest(), before);
}

TEST_F(Store, ReplacesABlockThatIsThere) {
  write_small_study(file_, 20, true);
  const std::string before = content(file_);
  {
    StoreWriter store(file_);
    BlockResult shorter = small_block(1, 0, 1, 13);
    store.commit({&shorter, 1});
  }
  EXPECT_EQ(StoreReader(file_).runs(1).size(), 13U);
  EXPECT_EQ(StoreReader(file_).curve(1, "rmse")[0].runs, 13U);
  {
    StoreWriter store(file_);
    const BlockResult block = small_block(1, 0, 1, 20, true);
    store.commit({&block, 1});
  }
  EXPECT_EQ(content(file_), before);
}

TEST_F(Store, PassesOverSettingsThatAreNoLongerPlannedAndKeepsTheirRuns) {
  const auto settings = small_settings();
  const std::vector<SettingRecord> fewer{settings[1]};
  {
    StoreWriter store(file_);
    const auto begun = store.begin(small_study(), settings);
    const BlockResult block = testing::small_block(begun.settings[0], 0, 0, small_study().seeds);
    store.commit({&block, 1});
    store.begin(small_study(), fewer);
  }
  const auto shown = [&] {
    const StoreReader reader(file_);
    return reader.summarise(reader.studies()[0]);
  };
  ASSERT_EQ(shown().size(), 1U);
  EXPECT_EQ(shown()[0].setting.record.parameters, settings[1].parameters);
  StoreWriter(file_).begin(small_study(), settings);
  ASSERT_EQ(shown().size(), settings.size());
  EXPECT_EQ(shown()[0].runs, std::min(seeds_per_block, small_study().seeds));
}

TEST_F(Store, KeepsIdsOfSettingsThatAreThereAndAddsNewOnes) {
  StoreWriter store(file_);
  auto settings = small_settings();
  const auto first = store.begin(small_study(), settings);
  settings.insert(settings.begin(), settings[0]);
  settings[0].parameters[0].second = "0.4";
  settings.push_back(settings[0]);
  const auto second = store.begin(small_study(), settings);
  EXPECT_EQ(second.study, first.study);
  ASSERT_EQ(second.settings.size(), 5U);
  EXPECT_TRUE(std::equal(first.settings.begin(), first.settings.end(), second.settings.begin() + 1));
  EXPECT_EQ(second.settings[0], second.settings[4]) << "equal settings have one id";
  EXPECT_EQ(std::count(first.settings.begin(), first.settings.end(), second.settings[0]), 0);
}

TEST_F(Store, HoldsStudiesOfOneNameAtSeveralScales) {
  StoreWriter store(file_);
  auto study = small_study();
  const auto quick = store.begin(study, small_settings());
  study.scale = "paper";
  study.protocol[0].second = "1000";
  const auto paper = store.begin(study, small_settings());
  EXPECT_NE(quick.study, paper.study);
  EXPECT_NE(quick.settings, paper.settings);
  const BlockResult block = small_block(paper.settings[0], 0, 0, 20);
  store.commit({&block, 1});
  EXPECT_TRUE(store.done(quick.study).empty());
  EXPECT_EQ(store.done(paper.study).size(), 1U);
}

TEST_F(Store, RecordsTheSeedsThatTheStudyHasNow) {
  for (const std::uint64_t seeds : {20U, 30U, 10U}) {
    StoreWriter(file_).begin(small_study(seeds), small_settings());
    EXPECT_EQ(StoreReader(file_).studies()[0].record.seeds, seeds);
  }
}

TEST_F(Store, RefusesAProtocolThatDiffersAndNamesTheFirstDifference) {
  StoreWriter store(file_);
  store.begin(small_study(), small_settings());
  const auto refused = [&](auto change) {
    StudyRecord study = small_study();
    change(study);
    return rejection([&] { store.begin(study, {}); });
  };
  EXPECT_EQ(refused([](StudyRecord& s) { s.protocol[0].second = s.protocol[1].second = "200"; }),
            file_ + " holds study boyan (quick) with steps = 100; the file says 200: use another `out` or remove it");
  EXPECT_NE(refused([](StudyRecord& s) {
              s.protocol.erase(s.protocol.begin() + 1);
            }).find("with every = 50; the file says nothing"),
            std::string::npos);
  EXPECT_NE(refused([](StudyRecord& s) {
              s.protocol.emplace_back("states", "9");
            }).find("with states = nothing; the file says 9"),
            std::string::npos);
  EXPECT_NE(
      refused([](StudyRecord& s) { s.metrics = {"rmse"}; }).find("with metrics = relative,rmse; the file says rmse"),
      std::string::npos);
  EXPECT_NE(refused([](StudyRecord& s) { s.at.pop_back(); }).find("points"), std::string::npos);
  EXPECT_NE(refused([](StudyRecord& s) { s.keeps_curves = true; }).find("keeps_curves = false"), std::string::npos);
  EXPECT_EQ(refused([](StudyRecord& s) { s.title = s.command = s.version = "another"; }), "accepted");
  EXPECT_EQ(refused([](StudyRecord& s) { std::swap(s.protocol[0], s.protocol[1]); }), "accepted");
}

TEST_F(Store, WritesAllBlocksOfACommitOrNone) {
  write_small_study(file_);
  const std::string before = content(file_);
  StoreWriter store(file_);
  const std::vector<BlockResult> blocks{small_block(1, 0, 7, 80), small_block(99, 0, 7, 80)};
  EXPECT_EQ(rejection([&] { store.commit(blocks); }), "there is no setting 99");
  EXPECT_EQ(content(file_), before);
  store.commit({blocks.data(), 1});
  EXPECT_NE(content(file_), before);
}

TEST_F(Store, IsOneFileWhenItIsClosed) {
  write_small_study(file_);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 1U);
}

TEST_F(Store, CanBeReadWhileItIsWritten) {
  StoreWriter store(file_);
  const auto begun = store.begin(small_study(), small_settings());
  const StoreReader reader(file_);
  const StoredStudy study = reader.studies().at(0);
  EXPECT_EQ(reader.summarise(study)[0].runs, 0U);
  for (const std::uint64_t b : {0U, 1U}) {
    const BlockResult block = small_block(begun.settings[0], 0, b, 20);
    store.commit({&block, 1});
    EXPECT_EQ(reader.summarise(study)[0].runs, 10 * (b + 1));
  }
  store.close();
  EXPECT_EQ(reader.summarise(study)[0].runs, 20U);
  EXPECT_EQ(StoreReader(file_).summarise(study)[0].runs, 20U);
}

}  // namespace
}  // namespace bellwether
