#include <bellwether/experiment/experiment.h>

#include <atomic>

#include <gtest/gtest.h>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/td/td.h>

namespace bellwether {
namespace {

Experiment boyan(const Domain& chain) {
  Experiment experiment;
  experiment.domain = &chain;
  experiment.steps = 300;
  experiment.every = 100;
  experiment.runs = 8;
  experiment.contenders = {{"td", {{"alpha", "0.1"}}}, {"true_online_td", {{"alpha", "0.1"}, {"lambda", "0.9"}}}};
  return experiment;
}

/// Every number of a result but the times.
std::vector<double> numbers(const ExperimentResult& result) {
  std::vector<double> all;
  const auto add = [&all](const Estimate& e) {
    all.insert(all.end(), {e.mean, e.half_width, static_cast<double>(e.runs)});
  };
  for (const LearningCurve& curve : result.curves) {
    for (const Estimate& e : curve.courses[0].at) add(e);
    add(curve.courses[0].average);
    add(curve.courses[0].last);
    all.push_back(static_cast<double>(curve.diverged));
  }
  return all;
}

TEST(Experiment, IsTheSameForOneTwoAndSevenThreads) {
  const BoyanChain chain({});
  const auto one = numbers(run(boyan(chain), 1));
  EXPECT_EQ(numbers(run(boyan(chain), 2)), one);
  EXPECT_EQ(numbers(run(boyan(chain), 7)), one);
}

TEST(Experiment, MeasuresWhatALearnerFedByHandReaches) {
  const BoyanChain chain({});
  Experiment experiment = boyan(chain);
  experiment.runs = 1;
  const ExperimentResult result = run(experiment);
  Evaluator error_of(EvaluationSet::every_state(chain, *chain.features()));
  TD td(4, {.alpha = 0.1});
  Stream stream(chain, chain.features(), experiment.seed, 0);
  double sum = 0;
  for (std::size_t i = 0; i < result.at.size(); ++i) {
    if (i > 0) td.learn(stream.next(100));
    EXPECT_EQ(result.curves[0].courses[0].at[i].mean, error_of(td));
    sum += error_of(td);
  }
  EXPECT_EQ(result.at, (std::vector<std::uint64_t>{0, 100, 200, 300}));
  EXPECT_DOUBLE_EQ(result.curves[0].courses[0].average.mean, sum / 4);
  EXPECT_EQ(result.curves[0].courses[0].last.mean, error_of(td));
}

TEST(Experiment, GivesAContenderTheSameResultAloneAndInCompany) {
  const BoyanChain chain({});
  Experiment alone = boyan(chain);
  alone.contenders.erase(alone.contenders.begin());
  const auto both = run(boyan(chain));
  EXPECT_EQ(run(alone).curves[0].courses[0].last.mean, both.curves[1].courses[0].last.mean);
}

TEST(Experiment, CountsDivergedRunsAndLeavesThemOutOfMeans) {
  const Baird baird({});
  Experiment experiment;
  experiment.domain = &baird;
  experiment.steps = 50000;
  experiment.every = 25000;
  experiment.runs = 3;
  experiment.contenders = {{"td", {{"alpha", "0.5"}}}, {"gtd", {{"alpha", "0.005"}}}};
  const ExperimentResult result = run(experiment);
  EXPECT_EQ(result.metrics, std::vector{Metric::rmse});  // every value is zero
  EXPECT_EQ(result.curves[0].diverged, 3U);
  EXPECT_EQ(result.curves[0].courses[0].average.runs, 0U);
  EXPECT_EQ(result.curves[1].diverged, 0U);
  EXPECT_GT(result.curves[1].courses[0].at[0].mean, 1);  // the customary starting weights are far off
  EXPECT_LT(result.curves[1].courses[0].last.mean, 0.5 * result.curves[1].courses[0].at[0].mean);
  EXPECT_TRUE(better(result.curves[1], result.curves[0]));
  EXPECT_FALSE(better(result.curves[0], result.curves[1]));
}

TEST(Experiment, ResolvesEveryParameter) {
  const BoyanChain chain({});
  const auto result = run(boyan(chain));
  EXPECT_EQ(result.curves[0].contender.settings, TD(4, {.alpha = 0.1}).settings());
}

TEST(Experiment, ReportsProgressUpToTheEnd) {
  const BoyanChain chain({});
  std::vector<double> shares;
  run(boyan(chain), 2, [&](double share) { shares.push_back(share); });
  ASSERT_EQ(shares.size(), 48U);  // 8 runs of 2 contenders, measured 3 times after their start
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

TEST(Experiment, PassesOnWhatTheProgressCallbackThrows) {
  const BoyanChain chain({});
  EXPECT_THROW(run(boyan(chain), 2, [](double) { throw std::runtime_error("enough"); }), std::runtime_error);
}

TEST(Experiment, RejectsWhatCannotBeRun) {
  const BoyanChain chain({});
  Experiment experiment = boyan(chain);
  experiment.contenders.push_back({"td", {{"alpha", "-1"}}});
  EXPECT_THROW(run(experiment, 3), InvalidArgument);
  experiment.contenders.clear();
  EXPECT_THROW(run(experiment), InvalidArgument);
  experiment = boyan(chain);
  experiment.steps = 0;
  EXPECT_THROW(run(experiment), InvalidArgument);
  experiment = boyan(chain);
  experiment.domain = nullptr;
  EXPECT_THROW(run(experiment), InvalidArgument);
}

struct Ballpark {
  const char* learner;
  Settings settings;
  double at_100, at_1000, average;
};

TEST(Experiment, ReproducesTheKnownErrorsOnBoyansChain) {
  // Means of 60 runs of another implementation, without standard errors: hence a fifth at a point, a twentieth on the
  // curve.
  const BoyanChain chain({});
  const std::vector<Ballpark> known{{"td", {{"alpha", "0.1"}}, 0.386, 0.031, 0.129},
                                    {"td", {{"alpha", "0.4"}}, 0.060, 0.065, 0.083},
                                    {"true_online_td", {{"alpha", "0.1"}, {"lambda", "0.9"}}, 0.097, 0.043, 0.077}};
  Experiment experiment;
  experiment.domain = &chain;
  experiment.every = 1;
  experiment.runs = 100;
  for (const Ballpark& b : known) experiment.contenders.push_back({b.learner, b.settings});
  const auto result = run(experiment, 2);
  for (std::size_t i = 0; i < known.size(); ++i) {
    const LearningCurve& curve = result.curves[i];
    EXPECT_NEAR(curve.courses[0].at[100].mean, known[i].at_100, 0.2 * known[i].at_100);
    EXPECT_NEAR(curve.courses[0].at[1000].mean, known[i].at_1000, 0.2 * known[i].at_1000);
    EXPECT_NEAR(curve.courses[0].average.mean, known[i].average, 0.05 * known[i].average);
  }
}

}  // namespace
}  // namespace bellwether
