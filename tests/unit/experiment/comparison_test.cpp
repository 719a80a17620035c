#include <bellwether/experiment/comparison.h>

#include <atomic>

#include <gtest/gtest.h>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/experiment/workers.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/learners/td/td.h>

namespace bellwether {
namespace {

Study boyan() {
  Study study;
  study.cases = {{.domain = "boyan_chain"}};
  study.run = {.steps = 300, .every = 100, .seeds = 8};
  study.add("td", {{"alpha", "0.1"}});
  study.add("true_online_td", {{"alpha", "0.1"}, {"lambda", "0.9"}});
  return study;
}

std::vector<SettingSummary> compared(const Study& study, unsigned jobs = 1, const Progress& progress = {}) {
  return compare(PreparedStudy(study), {.jobs = jobs}, progress);
}

/// Every number of a result but the times.
std::vector<double> numbers(const std::vector<SettingSummary>& result) {
  std::vector<double> all;
  const auto add = [&all](const Estimate& e) {
    all.insert(all.end(), {e.mean, e.half_width, static_cast<double>(e.runs)});
  };
  for (const SettingSummary& summary : result) {
    for (const Estimate& e : summary.curves[0].at) add(e);
    add(summary.curves[0].average);
    add(summary.curves[0].last);
    all.push_back(static_cast<double>(summary.diverged));
  }
  return all;
}

TEST(Compare, IsTheSameForOneTwoAndSevenThreads) {
  const auto one = numbers(compared(boyan(), 1));
  EXPECT_EQ(numbers(compared(boyan(), 2)), one);
  EXPECT_EQ(numbers(compared(boyan(), 7)), one);
}

TEST(Compare, MeasuresWhatALearnerFedByHandReaches) {
  const BoyanChain chain({});
  Study study = boyan();
  study.run.seeds = 1;
  const PreparedStudy prepared(study);
  const SettingSummary result = compare(prepared).front();
  Evaluator error_of(EvaluationSet::every_state(chain, *chain.features()));
  TD td(4, {.alpha = 0.1});
  Stream stream(chain, chain.features(), /*seed=*/1, 0);
  double sum = 0;
  for (std::size_t i = 0; i < prepared.at().size(); ++i) {
    if (i > 0) td.learn(stream.next(100));
    EXPECT_EQ(result.curves[0].at[i].mean, error_of(td));
    sum += error_of(td);
  }
  EXPECT_EQ(prepared.at(), (std::vector<std::uint64_t>{0, 100, 200, 300}));
  EXPECT_DOUBLE_EQ(result.curves[0].average.mean, sum / 4);
  EXPECT_EQ(result.curves[0].last.mean, error_of(td));
}

/// Boyan's chain under another name, as a program might define it.
class OwnChain final : public Domain {
 public:
  std::string_view type() const override { return "own_chain"; }
  Settings settings() const override { return {{"flavour", "mine"}}; }
  const std::vector<Variable>& variables() const override { return chain_.variables(); }
  const std::vector<std::string>& actions() const override { return chain_.actions(); }
  void start(Rng& rng, std::span<double> state) const override { chain_.start(rng, state); }
  Outcome step(Rng& rng, std::span<double> state) const override { return chain_.step(rng, state); }
  bool true_values(std::span<const double> states, std::span<double> values) const override {
    return chain_.true_values(states, values);
  }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed, std::uint64_t run) const override {
    return chain_.features(seed, run);
  }
  const FiniteModel* model() const override { return chain_.model(); }

 private:
  BoyanChain chain_{BoyanChain::Params{}};
};

TEST(Compare, RunsADomainThatTheLibraryDoesNotKnow) {
  Study study = boyan();
  study.cases = {StudyCase::of(std::make_shared<OwnChain>())};
  EXPECT_EQ(numbers(compared(study)), numbers(compared(boyan())));
  EXPECT_EQ(study.protocol().front().second, "own_chain");
  EXPECT_EQ(text_of(study.cases[0].domain_settings), "flavour=mine");
  EXPECT_EQ(PreparedStudy(study).of_case(0).domain->type(), "own_chain");
}

TEST(Compare, GivesASettingTheSameResultAloneAndInCompany) {
  Study alone = boyan();
  alone.settings.erase(alone.settings.begin());
  const auto both = compared(boyan());
  EXPECT_EQ(compared(alone)[0].curves[0].last.mean, both[1].curves[0].last.mean);
}

TEST(Compare, CountsDivergedRunsAndLeavesThemOutOfMeans) {
  Study study;
  study.cases = {{.domain = "baird"}};
  study.run = {.steps = 50000, .every = 25000, .seeds = 3};
  study.add("td", {{"alpha", "0.5"}});
  study.add("gtd", {{"alpha", "0.005"}});
  const PreparedStudy prepared(study);
  const auto result = compare(prepared);
  EXPECT_EQ(prepared.metrics(), std::vector{Metric::rmse});  // every value is zero
  EXPECT_EQ(result[0].diverged, 3U);
  EXPECT_EQ(result[0].curves[0].average.runs, 0U);
  EXPECT_EQ(result[1].diverged, 0U);
  EXPECT_GT(result[1].curves[0].at[0].mean, 1);  // the customary starting weights are far off
  EXPECT_LT(result[1].curves[0].last.mean, 0.5 * result[1].curves[0].at[0].mean);
  EXPECT_TRUE(better(result[1], result[0], Metric::rmse));
  EXPECT_FALSE(better(result[0], result[1], Metric::rmse));
}

TEST(Compare, CountsRunsWhoseErrorGrewAMillionfoldAlthoughTheyDidNotDiverge) {
  Study study;
  study.cases = {{.domain = "baird"}};
  study.run = {.steps = 4000, .every = 1000, .seeds = 3};
  study.add("td", {{"alpha", "0.1"}});
  study.add("gtd", {{"alpha", "0.005"}});
  const auto result = compared(study);
  EXPECT_EQ(result[0].diverged, 0U);
  EXPECT_EQ(result[0].grown, 3U);
  EXPECT_EQ(result[1].grown, 0U);
}

TEST(Compare, PrefersMoreEffectiveSamples) {
  SettingSummary few;
  few.curves = {{{}, {.mean = 10, .half_width = 0, .runs = 2}, {}}};
  SettingSummary many = few;
  many.curves[0].average.mean = 20;
  EXPECT_TRUE(better(many, few, Metric::effective_samples));
  EXPECT_FALSE(better(few, many, Metric::effective_samples));
  EXPECT_TRUE(better(few, many, Metric::rmse));
}

TEST(Compare, ResolvesEveryParameter) {
  EXPECT_EQ(compared(boyan())[0].setting.parameters, TD(4, {.alpha = 0.1}).settings());
}

TEST(Compare, ReportsProgressUpToTheEnd) {
  std::vector<double> shares;
  compared(boyan(), 2, [&](double share) { shares.push_back(share); });
  ASSERT_EQ(shares.size(), 96U);  // 8 seeds of 2 settings, measured 3 times after their start, and 16 steps before
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

TEST(Compare, PassesOnWhatTheProgressCallbackThrows) {
  EXPECT_THROW(compared(boyan(), 2, [](double) { throw std::runtime_error("enough"); }), std::runtime_error);
}

TEST(Compare, RejectsWhatCannotBeRun) {
  Study study = boyan();
  EXPECT_THROW(study.add("td", {{"alpha", "-1"}}), InvalidArgument);
  EXPECT_THROW(study.add("atd", {{"rank", "5"}, {"kept", "4"}}), InvalidArgument) << "told before anything is run";
  study.settings.push_back({0, "td", "td", {{"alpha", "-1"}}});
  EXPECT_THROW(compared(study, 3), InvalidArgument);
  study.settings.clear();
  EXPECT_THROW(compared(study), InvalidArgument);
  study = boyan();
  study.run.steps = 0;
  EXPECT_THROW(compared(study), InvalidArgument);
  study = boyan();
  study.cases.clear();
  EXPECT_THROW(compared(study), InvalidArgument);
  study = boyan();
  study.metrics = {Metric::rmse, Metric::rmse};
  EXPECT_THROW(compared(study), InvalidArgument);
}

TEST(Compare, GivesUpWhenStopped) {
  std::atomic<int> asked = 0;
  EXPECT_THROW(compare(PreparedStudy(boyan()), {.jobs = 2, .stopped = [&] { return ++asked > 5; }}), Interrupted);
}

struct Ballpark {
  const char* learner;
  Settings settings;
  double at_100, at_1000, average;
};

TEST(Compare, ReproducesTheKnownErrorsOnBoyansChain) {
  // Means of 60 runs of another implementation, without standard errors: hence a fifth at a point, a twentieth on the
  // curve.
  const std::vector<Ballpark> known{{"td", {{"alpha", "0.1"}}, 0.386, 0.031, 0.129},
                                    {"td", {{"alpha", "0.4"}}, 0.060, 0.065, 0.083},
                                    {"true_online_td", {{"alpha", "0.1"}, {"lambda", "0.9"}}, 0.097, 0.043, 0.077}};
  Study study;
  study.cases = {{.domain = "boyan_chain"}};
  study.run = {.every = 1, .seeds = 100};
  for (const Ballpark& b : known) study.add(b.learner, b.settings);
  const auto result = compared(study, 2);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Curve& curve = result[i].curves[0];
    EXPECT_NEAR(curve.at[100].mean, known[i].at_100, 0.2 * known[i].at_100);
    EXPECT_NEAR(curve.at[1000].mean, known[i].at_1000, 0.2 * known[i].at_1000);
    EXPECT_NEAR(curve.average.mean, known[i].average, 0.05 * known[i].average);
  }
}

}  // namespace
}  // namespace bellwether
