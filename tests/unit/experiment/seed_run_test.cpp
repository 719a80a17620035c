#include <bellwether/experiment/seed_run.h>

#include <gtest/gtest.h>

#include <bellwether/domains/domains.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/metrics/effective_samples.h>

namespace bellwether {
namespace {

/// A comparison of 300 steps, measured every 70.
struct Scene {
  explicit Scene(std::unique_ptr<Domain> of, std::string features = "", std::vector<Metric> metrics = {Metric::rmse})
      : domain(std::move(of)), truth(ground_truth(*domain, {.states = 30, .rollouts = 4})) {
    protocol.domain = domain.get();
    protocol.features = std::move(features);
    protocol.truth = &truth;
    protocol.metrics = std::move(metrics);
    protocol.bellman = {.bellman_lambda = 0.5, .bellman_steps = 200};
    protocol.seed = 5;
    protocol.at = measuring_steps(300, 70);
  }

  std::vector<Trial> trials(const std::string& learner, const std::vector<Settings>& members, std::uint64_t run = 2) {
    SeedRun steps(protocol, run);
    return follow(steps, learner, members);
  }
  static std::vector<Trial> follow(SeedRun& steps, const std::string& learner, const std::vector<Settings>& members) {
    return steps.follow(*make_ensemble(learner, steps.dim(), members, Sharing::off));
  }

  std::unique_ptr<Domain> domain;
  GroundTruth truth;
  Protocol protocol;
};

const std::vector<Settings> step_sizes{{{"alpha", "0.01"}}, {{"alpha", "0.05"}}, {{"alpha", "0.1"}}, {{"alpha", "0.2"}},
                                       {{"alpha", "0.3"}},  {{"alpha", "0.4"}},  {{"alpha", "0.5"}}, {{"alpha", "0.6"}},
                                       {{"alpha", "0.7"}},  {{"alpha", "0.8"}},  {{"alpha", "0.9"}}};

TEST(MeasuringSteps, BeginAtZeroAndEndWithTheRun) {
  using Steps = std::vector<std::uint64_t>;
  EXPECT_EQ(measuring_steps(300, 100), (Steps{0, 100, 200, 300}));
  EXPECT_EQ(measuring_steps(300, 140), (Steps{0, 140, 280, 300}));
  EXPECT_EQ(measuring_steps(3, 1), (Steps{0, 1, 2, 3}));
  EXPECT_EQ(measuring_steps(3, 100), (Steps{0, 3}));
}

TEST(SeedRun, IsALearnerAStreamAndAnEvaluator) {
  Scene scene(make_domain("boyan_chain"));
  const Settings settings{{"alpha", "0.2"}, {"lambda", "0.5"}};
  const Trial trial = scene.trials("td", {settings}).front();

  const std::shared_ptr<const FeatureMap> features = scene.domain->features(5);
  Stream stream(*scene.domain, features, /*seed=*/5, /*run=*/2);
  Evaluator error(scene.truth.evaluation_set(*features), ValueError::rmse);
  const auto learner = make_learner("td", features->dim(), settings);
  std::vector<double> expected{error(*learner)};
  for (const std::uint64_t n : {70, 70, 70, 70, 20}) {
    learner->learn(stream.next(n));
    expected.push_back(error(*learner));
  }
  ASSERT_EQ(trial.curves.size(), 1U);
  EXPECT_EQ(trial.curves[0], expected);
  EXPECT_EQ(trial.diverged_at, std::nullopt);
  EXPECT_GT(trial.seconds, 0);
}

TEST(SeedRun, MeasuresSeveralErrorsOfTheSameValues) {
  Scene scene(make_domain("boyan_chain"));
  const auto curves = [&](std::vector<Metric> metrics, const std::vector<Settings>& members) {
    scene.protocol.metrics = std::move(metrics);
    std::vector<std::vector<std::vector<double>>> all;
    for (Trial& trial : scene.trials("td", members)) all.push_back(std::move(trial.curves));
    return all;
  };
  for (const std::vector<Settings>& members : {std::vector<Settings>{{}}, step_sizes}) {
    const auto relative = curves({Metric::relative}, members);
    const auto rmse = curves({Metric::rmse}, members);
    const auto msbe = curves({Metric::msbe}, members);
    const auto all = curves({Metric::rmse, Metric::msbe, Metric::relative}, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(all[i], (std::vector{rmse[i][0], msbe[i][0], relative[i][0]})) << "member " << i;
    }
  }
}

TEST(SeedRun, GivesEveryMemberWhatItGetsAlone) {
  for (const char* domain : {"boyan_chain", "mountain_car", "random_walk"}) {
    Scene scene(make_domain(domain), "", {Metric::rmse, Metric::msbe, Metric::mspbe});
    if (std::string(domain) == "mountain_car") scene.protocol.metrics = {Metric::rmse};
    const auto together = scene.trials("true_online_td", step_sizes);
    ASSERT_EQ(together.size(), step_sizes.size()) << "more than eight, and not a multiple of eight";
    for (std::size_t i = 0; i < step_sizes.size(); ++i) {
      EXPECT_EQ(together[i].curves, scene.trials("true_online_td", {step_sizes[i]}).front().curves) << domain << i;
    }
  }
}

TEST(SeedRun, ServesLearnersOneAfterAnother) {
  Scene scene(make_domain("collision"), "", {Metric::rmse, Metric::effective_samples});
  SeedRun steps(scene.protocol, 2);
  const auto first = Scene::follow(steps, "gtd2", {{{"alpha", "0.1"}}});
  Scene::follow(steps, "lstd", {{}});
  const auto again = Scene::follow(steps, "gtd2", {{{"alpha", "0.1"}}});
  EXPECT_EQ(first.front().curves, again.front().curves);
  EXPECT_LT(first.front().curves[1].back(), 300) << "off-policy";
}

TEST(SeedRun, IsTheSameWhetherRecordedOrSimulatedAgain) {
  for (const char* features : {"", "own + noise"}) {
    Scene scene(make_domain("random_walk"), features, {Metric::rmse, Metric::effective_samples});
    scene.protocol.at = measuring_steps(10000, 4500);  // longer than the pieces that steps are simulated in
    SeedRun recorded(scene.protocol, 2);
    Protocol forgetful = scene.protocol;
    forgetful.most_bytes = 0;
    SeedRun simulated(forgetful, 2);
    for (const char* learner : {"td", "lstd", "td"}) {
      EXPECT_EQ(Scene::follow(recorded, learner, {{}}).front().curves,
                Scene::follow(simulated, learner, {{}}).front().curves)
          << learner << " on " << features;
    }
    const double reward = recorded.sample(50).reward[49];
    EXPECT_EQ(simulated.sample(50).reward[49], reward);
    EXPECT_EQ(simulated.sample(1000000).size, 4096U);
  }
}

TEST(SeedRun, DiffersFromRunToRunAndFromSeedToSeed) {
  Scene scene(make_domain("boyan_chain"));
  const auto curve = [&](std::uint64_t run) { return scene.trials("td", {{}}, run).front().curves; };
  const auto first = curve(0);
  EXPECT_EQ(curve(0), first);
  EXPECT_NE(curve(1), first);
  scene.protocol.seed = 6;
  EXPECT_NE(curve(0), first);
}

TEST(SeedRun, BeginsWithTheDomainsWeightsOnItsOwnFeaturesOnly) {
  Scene own(make_domain("baird"));
  ASSERT_FALSE(own.domain->initial_weights().empty());
  const auto begins = [](Scene& scene) { return scene.trials("td", {{}, {{"alpha", "0.2"}}}).back().curves[0][0]; };
  Scene named(make_domain("baird"), "own");
  Scene tabular(make_domain("baird"), "tabular");
  EXPECT_EQ(begins(own), begins(named));
  EXPECT_NE(begins(own), begins(tabular));

  const auto features = own.domain->features(5);
  Evaluator error(own.truth.evaluation_set(*features), ValueError::rmse);
  EXPECT_EQ(begins(own), error(own.domain->initial_weights()));
}

TEST(SeedRun, SaysWhereAMemberDivergedAndGoesOnWithTheOthers) {
  Scene scene(make_domain("baird"));
  scene.protocol.at = measuring_steps(5000, 1000);
  const auto trials = scene.trials("td", {{{"alpha", "0.9"}}, {{"alpha", "0.001"}}});
  EXPECT_TRUE(trials[0].diverged_at.has_value());
  EXPECT_FALSE(trials[1].diverged_at.has_value());
  EXPECT_EQ(trials[1].curves[0].size(), 6U);
}

TEST(SeedRun, TellsOfEveryStepAndStopsWhenToldTo) {
  Scene scene(make_domain("boyan_chain"));
  scene.protocol.at = measuring_steps(10000, 6000);
  SeedRun steps(scene.protocol, 0);
  const auto td = make_ensemble("td", steps.dim(), {{}});
  std::uint64_t told = 0;
  std::uint64_t largest = 0;
  std::uint64_t first = 0;
  steps.follow(*td, [&](std::uint64_t n) {
    if (told == 0) first = n;
    told += n;
    largest = std::max(largest, n);
  });
  EXPECT_EQ(told, 10000U);
  EXPECT_LE(largest, 4096U) << "however far measurements are apart";
  EXPECT_LE(first, 16U) << "a step may take a second";

  struct Enough {};
  const auto other = make_ensemble("td", steps.dim(), {{}});
  EXPECT_THROW(steps.follow(*other, [](std::uint64_t) { throw Enough(); }), Enough);
}

}  // namespace
}  // namespace bellwether
