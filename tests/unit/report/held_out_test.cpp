#include <bellwether/report/held_out.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>

#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

TEST(PairedComparison, IsStudentsOverTheSeedsThatBothHave) {
  // Differences 1, 2, 6 on the seeds 3, 5, 9: mean 3, s^2 = (4 + 1 + 9) / 2 = 7, t_{.975, 2} = 4.302653.
  const std::vector<SeedScore> learner{{1, 100}, {3, 5}, {5, 8}, {9, 11}};
  const std::vector<SeedScore> reference{{3, 4}, {5, 6}, {7, 1000}, {9, 5}};
  const HeldOutError error = compared(learner, reference);
  EXPECT_EQ(error.difference.runs, 3U);
  EXPECT_DOUBLE_EQ(error.difference.mean, 3);
  EXPECT_NEAR(error.difference.half_width, 4.302653 * std::sqrt(7.0 / 3), 1e-5);
  EXPECT_DOUBLE_EQ(error.ratio, 24.0 / 15);
  EXPECT_EQ(error.value.runs, 4U) << "the learner's own error needs no reference";
  EXPECT_DOUBLE_EQ(error.value.mean, 31);
}

TEST(PairedComparison, IsSharperThanTheMeansWhereSeedsAreHardForBoth) {
  const std::vector<SeedScore> learner{{1, 1.1}, {3, 10.1}, {5, 100.1}};
  const std::vector<SeedScore> reference{{1, 1}, {3, 10}, {5, 100}};
  const HeldOutError error = compared(learner, reference);
  EXPECT_NEAR(error.difference.mean, 0.1, 1e-12);
  EXPECT_LT(error.difference.half_width, 1e-9);
  EXPECT_GT(error.value.half_width, 100);
}

TEST(PairedComparison, WithItselfIsNoDifference) {
  const std::vector<SeedScore> scores{{1, 2}, {3, 5}};
  const HeldOutError error = compared(scores, scores);
  EXPECT_EQ(error.difference.mean, 0);
  EXPECT_EQ(error.difference.half_width, 0);
  EXPECT_EQ(error.ratio, 1);
}

TEST(PairedComparison, WithoutCommonSeedsSaysNothing) {
  const HeldOutError error = compared(std::vector<SeedScore>{{1, 2}}, std::vector<SeedScore>{{3, 2}});
  EXPECT_EQ(error.difference.runs, 0U);
  EXPECT_TRUE(std::isnan(error.ratio));
  EXPECT_EQ(error.value.mean, 2);
  EXPECT_EQ(error.value.half_width, infinity) << "of a single run";
}

/// Learners A, of two settings, and B, of one, with given scores for seeds 0, ..., 3; the second metric is ten times
/// the first. A negative score is a run that diverged.
class HeldOut : public ::testing::Test {
 protected:
  using Scores = std::array<double, 4>;

  HeldOutCase judged(const Scores& a1, const Scores& a2, const Scores& b, const Ranking& ranking = {},
                     const std::string& against = {}, const std::string& per = {}) {
    std::vector<SettingRecord> settings = testing::small_settings();
    for (std::size_t i = 0; i < 3; ++i) settings[i].label = i < 2 ? "A" : "B";
    StudyRecord study = testing::small_study(4);
    study.metrics = {"rmse", metric_};
    {
      StoreWriter store(file_);
      const auto begun = store.begin(study, settings);
      const std::array all{a1, a2, b};
      for (std::size_t i = 0; i < all.size(); ++i) {
        BlockResult block{begun.settings[i], 0, {}, {}};
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
          RunRecord run;
          run.seed = seed;
          const double score = all[i][seed];
          if (score < 0) {
            run.diverged_at = 7;
          } else {
            run.average = {score, 10 * score};
            run.last = {10 - score, 100 - 10 * score};
            add(block.curves, Curves{{1, 1, 1}, {1, 1, 1}});
          }
          block.runs.push_back(run);
        }
        store.commit({&block, 1});
      }
    }
    const StoreReader reader(file_);
    return held_out(reader, study_results(reader, reader.studies().at(0)), 0, ranking, against, per);
  }

  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("results.db");
  std::string metric_ = "mspbe";
};

TEST_F(HeldOut, ChoosesBySeedsThatItDoesNotReport) {
  // On all seeds, and on odd ones, the second setting of A is better.
  const HeldOutCase all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6});
  ASSERT_EQ(all.learners.size(), 2U);
  EXPECT_EQ(all.learners[0].setting, 2U) << "B is better on the odd seeds";
  EXPECT_EQ(all.learners[1].setting, 0U) << "A's first setting is better on the even seeds";
  EXPECT_DOUBLE_EQ(all.learners[1].average.value.mean, 8.5);
  EXPECT_DOUBLE_EQ(all.learners[1].last.value.mean, 1.5);
  EXPECT_EQ(all.learners[1].runs, 2U);
}

TEST_F(HeldOut, ComparesWithTheBestUnlessALabelIsGiven) {
  HeldOutCase all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6});
  EXPECT_EQ(all.reference, 0U);
  EXPECT_DOUBLE_EQ(all.learners[1].average.difference.mean, 3.5);
  EXPECT_DOUBLE_EQ(all.learners[1].average.ratio, 1.7);
  EXPECT_NEAR(all.learners[1].average.difference.half_width, 12.70620 * 0.5, 1e-4) << "differences 4 and 3";
  EXPECT_DOUBLE_EQ(all.learners[0].average.ratio, 1);
  all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {}, "A");
  EXPECT_EQ(all.reference, 1U);
  EXPECT_DOUBLE_EQ(all.learners[0].average.difference.mean, -3.5);
  all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {}, "C");
  EXPECT_FALSE(all.reference);
  EXPECT_EQ(all.learners[0].average.difference.runs, 0U);
}

TEST_F(HeldOut, CountsEveryValueOfAParameterAsALearnerOnRequest) {
  const HeldOutCase all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {}, "A, alpha=0.1", "alpha");
  ASSERT_EQ(all.learners.size(), 3U);
  const std::array labels{"A, alpha=0.2", "B", "A, alpha=0.1"};  // B does not sweep alpha
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(all.learners[i].label, labels[i]);
  EXPECT_EQ(all.reference, 2U);
  EXPECT_DOUBLE_EQ(all.learners[0].average.difference.mean, -7.5);
  EXPECT_EQ(judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {}, "", "lambda").learners.size(), 2U);
}

TEST_F(HeldOut, ChoosesByTheEndOrAnotherMetricOnRequest) {
  const HeldOutCase all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {1, &Summary::last});
  const auto a = std::find_if(all.learners.begin(), all.learners.end(), [](const auto& l) { return l.setting < 2; });
  ASSERT_NE(a, all.learners.end());
  EXPECT_EQ(a->setting, 1U) << "which ends lower on the even seeds";
  EXPECT_DOUBLE_EQ(a->average.value.mean, 10);
}

TEST_F(HeldOut, ChoosesTheLargestWhereThatIsBetter) {
  metric_ = "effective_samples";
  const HeldOutCase all = judged({1, 8, 2, 9}, {3, 1, 3, 1}, {5, 4, 5, 6}, {1, &Summary::average});
  EXPECT_EQ(all.learners[0].setting, 2U);
  EXPECT_EQ(all.learners[1].setting, 1U);
}

TEST_F(HeldOut, PutsDivergedRunsBeforeErrorsAndLeavesTheirSeedsOut) {
  // A's first setting diverges on an even seed, and B on an odd one.
  const HeldOutCase all = judged({1, 1, -1, 1}, {3, 6, 3, 7}, {1, 2, 1, -1});
  EXPECT_EQ(all.learners[0].setting, 1U);
  EXPECT_EQ(all.learners[1].setting, 2U);
  EXPECT_EQ(all.learners[1].runs, 2U);
  EXPECT_EQ(all.learners[1].diverged, 1U);
  EXPECT_EQ(all.learners[1].average.difference.runs, 1U);
  EXPECT_DOUBLE_EQ(all.learners[1].average.difference.mean, -4);
  EXPECT_DOUBLE_EQ(all.learners[1].average.ratio, 2.0 / 6);
}

TEST_F(HeldOut, OfAStudyThatHasNotRunKnowsNothing) {
  StoreWriter(file_).begin(testing::small_study(4), testing::small_settings());
  const StoreReader reader(file_);
  const HeldOutCase all = held_out(reader, study_results(reader, reader.studies().at(0)), 0, {});
  ASSERT_EQ(all.learners.size(), 2U);
  EXPECT_EQ(all.learners[0].average.value.runs, 0U);
}

TEST_F(HeldOut, NeedsTwoSeeds) {
  testing::write_small_study(file_, 1);
  const StoreReader reader(file_);
  const StudyResults results = study_results(reader, reader.studies().at(0));
  EXPECT_EQ(testing::rejection([&] { held_out(reader, results, 0, {}); }),
            "study boyan (quick): `seeds=1` are too few to hold some out; even seeds choose settings, odd seeds judge "
            "them");
}

}  // namespace
}  // namespace bellwether
