#include <bellwether/experiment/sweep.h>

#include <atomic>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/experiment/cost/cost.h>
#include <bellwether/experiment/workers.h>
#include <bellwether/results/store_reader.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

/// A study that takes milliseconds: two cases, learners of several kinds, one setting that diverges.
std::string text_of(int seeds, const std::string& more = "") {
  return fmt::format(R"(
[domain]
name = "boyan_chain"
size = [12, 16]
[run]
steps = 100
every = 25
seeds = {}
curves = true
metrics = ["relative", "rmse"]
[[learner]]
name = "td"
lambda = [0, 0.9]
alpha = [0.1, 0.5, 1e9]
[[learner]]
name = "true_online_td"
lambda = 0.5
alpha = "0.1 * 2^j, j = -1..1"
[[learner]]
name = "lstd"
inverse_init = [0.1, 10]
[[learner]]
name = "atd"
rank = 2
lambda = 0.5
eta = [0, 1e-4]
{})",
                     seeds, more);
}

const std::string later_learner = "[[learner]]\nname = \"etd\"\nalpha = [0.01, 0.02]\n";

Study study_of(int seeds, const std::string& more = "") { return parse_study(text_of(seeds, more), "small.toml"); }

/// A file of results in a folder of its own.
struct Results {
  bool run(const Study& study, const SweepOptions& options = {}) const {
    const PreparedStudy prepared(study);
    StoreWriter store(file);
    return sweep(prepared, store, options);
  }

  std::string digest() const {
    const StoreReader reader(file);
    EXPECT_EQ(reader.studies().size(), 1U);
    return reader.digest(reader.studies().front());
  }

  testing::TemporaryFolder folder;
  std::string file = folder.path("results.db");
};

/// The digest of a sweep that nothing disturbs.
std::string undisturbed(const Study& study, const SweepOptions& options = {}) {
  const Results fresh;
  EXPECT_TRUE(fresh.run(study, options));
  return fresh.digest();
}

TEST(Sweep, HasEveryRunOfEverySetting) {
  const Results results;
  const Study study = study_of(12);
  ASSERT_TRUE(results.run(study));
  const StoreReader reader(results.file);
  const auto stored = reader.studies().front();
  EXPECT_EQ(stored.record.at, (std::vector<std::uint64_t>{0, 25, 50, 75, 100}));
  EXPECT_EQ(stored.record.metrics, (std::vector<std::string>{"relative", "rmse"}));
  const auto summaries = reader.summarise(stored);
  ASSERT_EQ(summaries.size(), study.settings.size());
  std::uint64_t diverged = 0;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    EXPECT_EQ(summaries[i].runs, 12U);
    EXPECT_EQ(summaries[i].setting.record.parameters, study.settings[i].parameters) << "in the order of the study";
    EXPECT_TRUE(summaries[i].setting.microseconds.has_value());
    diverged += summaries[i].diverged;
  }
  EXPECT_EQ(diverged, 4U * 12) << "td with alpha = 1e9";
}

TEST(Sweep, StoresForEveryRunWhatTheRunAloneGives) {
  const Results results;
  const Study study = study_of(12);
  ASSERT_TRUE(results.run(study, {.workers = {.jobs = 2}}));
  const PreparedStudy prepared(study);
  const StoreReader reader(results.file);
  const auto settings = reader.settings(reader.studies().front().id);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto runs = reader.runs(settings[i].id);
    ASSERT_EQ(runs.size(), 12U);
    for (const std::uint64_t seed : {0U, 9U, 10U, 11U}) {
      const Trial trial = run_one(prepared, i, seed);
      EXPECT_EQ(runs[seed].diverged_at, trial.diverged_at);
      if (trial.diverged_at) continue;
      EXPECT_EQ(runs[seed].curves, trial.curves) << "setting " << i << ", seed " << seed;
      EXPECT_EQ(runs[seed].last[1], trial.curves[1].back());
    }
  }
}

TEST(Sweep, GivesTheSameForAnyNumberOfJobsSharedOrNot) {
  const Study study = study_of(25);
  const std::string expected = undisturbed(study);
  const std::vector<SweepOptions> ways{
      {.workers = {.jobs = 3}}, {.sharing = false}, {.sharing = false, .workers = {.jobs = 3}}};
  for (const SweepOptions& options : ways) {
    EXPECT_EQ(undisturbed(study, options), expected) << options.workers.jobs << " jobs, sharing: " << options.sharing;
  }
}

TEST(Sweep, OfSeveralDomainsHasTheResultsOfEachAloneAndTakesMoreOfThem) {
  const auto study_on = [](const std::string& domains) {
    return parse_study("[run]\nsteps = 50\nevery = 25\nseeds = 12\nmetrics = \"rmse\"\n" + domains +
                           "[[learner]]\nname = \"td\"\n[[learner]]\nname = \"lstd\"\n",
                       "domains.toml");
  };
  const std::string chain = "[[domain]]\nname = \"boyan_chain\"\nwithout = \"lstd\"\n";
  const std::string walk = "[[domain]]\nname = \"random_walk\"\n";
  const std::string star = "[[domain]]\nname = \"baird\"\n";
  const Results alone;
  ASSERT_TRUE(alone.run(study_on(walk)));
  const Results grown;
  ASSERT_TRUE(grown.run(study_on(chain + walk), {.workers = {.jobs = 2}}));
  const StoreReader reader(grown.file);
  const auto settings = reader.settings(1);
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[0].record.domain, "boyan_chain");
  const StoreReader of_walk(alone.file);
  for (const std::int64_t id : {1, 2}) {
    const auto expected = of_walk.runs(id);
    const auto runs = reader.runs(id + 1);
    ASSERT_EQ(runs.size(), 12U);
    for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(runs[i].average, expected[i].average);
  }
  ASSERT_TRUE(grown.run(study_on(chain + walk + star)));
  EXPECT_EQ(grown.digest(), undisturbed(study_on(chain + walk + star)));
}

TEST(Sweep, HasADigestOfItsParametersToo) {
  const std::string study =
      "[domain]\nname = \"boyan_chain\"\n[run]\nsteps = 10\nseeds = 1\n[[learner]]\nname = \"td\"\n";
  EXPECT_NE(undisturbed(parse_study(study + "n0 = 1", "x.toml")), undisturbed(parse_study(study + "n0 = 2", "x.toml")))
      << "although only a schedule would make a difference";
}

TEST(Sweep, GoesOnWhereItWasStopped) {
  const Results results;
  const Study study = study_of(25);
  int stops = 0;
  bool finished = false;
  // Asked again and again, at moments that come later each time, until nothing is left.
  for (int patience = 0; !finished && stops < 200; patience += 100) {
    std::atomic<int> asked = 0;
    finished = results.run(
        study, {.workers = {.jobs = stops % 2 == 0 ? 1U : 3U, .stopped = [&] { return ++asked > 60 + patience; }}});
    stops += finished ? 0 : 1;
  }
  EXPECT_TRUE(finished);
  EXPECT_GT(stops, 3);
  EXPECT_EQ(results.digest(), undisturbed(study));
}

TEST(Sweep, IsStoppedAlsoBeforeItsFirstRun) {
  const Results results;
  const Study study = study_of(12);
  bool stop = true;
  const SweepOptions options{.workers = {.stopped = [&] { return stop; }}};
  EXPECT_THROW(PreparedStudy(study, {.stopped = options.workers.stopped}), Interrupted);
  const PreparedStudy prepared(study);
  StoreWriter store(results.file);
  EXPECT_FALSE(sweep(prepared, store, options));
  stop = false;
  EXPECT_TRUE(sweep(prepared, store, options)) << "the same sweep may go on";
}

TEST(Sweep, DoesNothingTwice) {
  const Results results;
  const Study study = study_of(12);
  ASSERT_TRUE(results.run(study));
  const std::string before = results.digest();
  std::vector<SweepProgress> seen;
  EXPECT_TRUE(results.run(study, {.progress = [&](const SweepProgress& p) { seen.push_back(p); }}));
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].runs, study.runs());
  EXPECT_EQ(seen[0].of, study.runs());
  EXPECT_EQ(seen[0].share, 1);
  EXPECT_EQ(results.digest(), before);
}

TEST(Sweep, GrowsBySeeds) {
  const Results results;
  ASSERT_TRUE(results.run(study_of(15)));
  EXPECT_EQ(results.digest(), undisturbed(study_of(15)));
  ASSERT_TRUE(results.run(study_of(25), {.workers = {.jobs = 2}}));
  EXPECT_EQ(results.digest(), undisturbed(study_of(25)));
}

TEST(Sweep, GrowsByLearners) {
  const Results results;
  ASSERT_TRUE(results.run(study_of(15)));
  ASSERT_TRUE(results.run(study_of(15, later_learner)));
  EXPECT_EQ(results.digest(), undisturbed(study_of(15, later_learner)));
}

TEST(Sweep, DoesWhatIsLeftAlsoWhenOthersHaveMoreSeedsThanItNeeds) {
  const Results results;
  ASSERT_TRUE(results.run(study_of(20)));
  ASSERT_TRUE(results.run(study_of(11, later_learner)));
  const StoreReader reader(results.file);
  for (const Summary& summary : reader.summarise(reader.studies().front())) {
    EXPECT_GE(summary.runs, 11U) << summary.setting.record.label;
  }
}

TEST(Sweep, TellsHowFarItIs) {
  const Results results;
  const Study study = study_of(25);
  std::vector<SweepProgress> seen;
  ASSERT_TRUE(results.run(study, {.progress = [&](const SweepProgress& p) { seen.push_back(p); }}));
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen.front().runs, 0U);
  EXPECT_EQ(seen.front().share, 0);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].runs, seen[i - 1].runs);
    EXPECT_GE(seen[i].share, seen[i - 1].share);
  }
  EXPECT_EQ(seen.back().runs, study.runs());
  EXPECT_NEAR(seen.back().share, 1, 1e-12);
  EXPECT_EQ(seen.back().diverged, 4U * 25);
}

TEST(Sweep, EstimatesWhatItTakes) {
  const Study study = study_of(25);
  const StudyEstimate estimate = bellwether::estimate(PreparedStudy(study), /*sharing=*/true, 0.01);
  EXPECT_EQ(estimate.settings, study.settings.size());
  EXPECT_EQ(estimate.runs, study.runs());
  EXPECT_EQ(estimate.steps, static_cast<double>(study.runs()) * 100);
  EXPECT_GT(estimate.core_seconds, 0);
  EXPECT_GT(estimate.bytes, 1e6);
  EXPECT_LE(estimate.groups, estimate.settings);
}

TEST(Sweep, ChoosesTheErrorThatSuitsTheValues) {
  const auto metric_of = [](const char* domain) {
    return PreparedStudy(
               parse_study(fmt::format("[domain]\nname = \"{}\"\n[[learner]]\nname = \"td\"", domain), "x.toml"))
        .metric_names();
  };
  EXPECT_EQ(metric_of("boyan_chain"), std::vector<std::string>{"relative"});
  EXPECT_EQ(metric_of("random_walk"), std::vector<std::string>{"rmse"});
}

TEST(Sweep, RefusesWhatMakesNoSense) {
  const Results results;
  EXPECT_EQ(testing::rejection([] { run_one(PreparedStudy(study_of(12)), 26, 3); }),
            "run: seed 3 of setting 26 is outside a study of 26 settings and 12 seeds");
  EXPECT_THROW(run_one(PreparedStudy(study_of(12)), 25, 12), InvalidArgument);
  ASSERT_TRUE(results.run(study_of(12)));
  std::string other = text_of(12);
  other.replace(other.find("steps = 100"), 11, "steps = 250");
  const std::string said = testing::rejection([&] { results.run(parse_study(other, "small.toml")); });
  EXPECT_NE(said.find("steps"), std::string::npos) << said;
}

TEST(Sweep, FailsAtOnceWhenAUnitFails) {
  const Results results;
  // The store takes no more: its units in progress are given up.
  const Study study = study_of(25);
  int reports = 0;
  const auto fail = [&](const SweepProgress&) {
    if (++reports == 2) throw IoError("the disk is full");
  };
  EXPECT_THROW(results.run(study, {.workers = {.jobs = 2}, .progress = fail}), IoError);
  ASSERT_TRUE(results.run(study));
  EXPECT_EQ(results.digest(), undisturbed(study));
}

}  // namespace
}  // namespace bellwether
