#include <bellwether/experiment/truth/measures.h>

#include <gtest/gtest.h>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/comparison.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/learners.h>
#include <bellwether/metrics/bellman_error.h>
#include <bellwether/metrics/sampled_bellman.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

/// A learner that has seen some steps of the domain, and what measures of it are made from.
struct Scene {
  explicit Scene(const Domain& the_domain)
      : domain(the_domain), features(domain.features(1)), truth(ground_truth(domain, {.states = 20, .rollouts = 2})) {
    Stream stream(domain, features, 1);
    learner = make_learner("td", features->dim(), {{"alpha", "0.05"}});
    learner->learn(stream.next(300));
  }

  double measured(Metric metric) const {
    return (*Measures(domain, *features, truth, bellman, /*seed=*/7, /*run=*/3).make(metric))(*learner);
  }

  const Domain& domain;
  std::shared_ptr<const FeatureMap> features;
  GroundTruth truth;
  BellmanParams bellman{.bellman_lambda = 0.5, .bellman_steps = 400};
  std::unique_ptr<Learner> learner;
};

TEST(Metric, IsExactForAFiniteChain) {
  const Collision collision({});
  const Scene scene(collision);
  const Exact exact(collision, *scene.features);
  EXPECT_EQ(scene.measured(Metric::msbe), BellmanError::mean_squared(exact)(*scene.learner));
  EXPECT_EQ(scene.measured(Metric::mspbe), BellmanError::projected(exact, 0.5)(*scene.learner));
  EXPECT_EQ(scene.measured(Metric::fixed_point), fixed_point_distance(exact, 0.5)(*scene.learner));
}

TEST(Metric, IsEstimatedFromAsManyStepsAsAskedForElsewhere) {
  const MountainCar car({});
  const Scene scene(car);
  const auto sample =
      std::make_shared<const TransitionSample>(car, *scene.features, 400, 7, (std::uint64_t{1} << 40U) + 3);
  EXPECT_EQ(scene.measured(Metric::msbe), SampledBellmanError(sample)(*scene.learner));
  EXPECT_EQ(scene.measured(Metric::mspbe), SampledProjectedBellmanError(sample, 0.5)(*scene.learner));
  EXPECT_EQ(scene.measured(Metric::fixed_point), fixed_point_distance(*sample, 0.5)(*scene.learner));
}

TEST(Metric, OfValuesIsTakenOnTheEvaluationStates) {
  const MountainCar car({});
  const Scene scene(car);
  const EvaluationSet set = scene.truth.evaluation_set(*scene.features);
  EXPECT_EQ(scene.measured(Metric::rmse), Evaluator(set, ValueError::rmse)(*scene.learner));
  EXPECT_EQ(scene.measured(Metric::relative), Evaluator(set, ValueError::relative)(*scene.learner));
}

TEST(Metric, IsRefusedWhereItWouldSayNothing) {
  const MountainCar car({});
  const auto refusal = [&](Metric metric, std::size_t dim) {
    return testing::rejection([&] { check_metric(metric, car, dim, {.bellman_steps = 1000}); });
  };
  EXPECT_EQ(refusal(Metric::mspbe, 501),
            "metric mspbe: bellman_steps = 1000 is less than twice the 501 features, so it would be mostly bias");
  EXPECT_EQ(refusal(Metric::fixed_point, 5000),
            "metric fixed_point: the number of features = 5000 is outside [1, 4096]");
  check_metric(Metric::mspbe, car, 500, {.bellman_steps = 1000});
  check_metric(Metric::msbe, car, 5000, {.bellman_steps = 1000});
  check_metric(Metric::mspbe, Collision({}), 5000, {.bellman_steps = 1000});
}

TEST(Metric, SeveralAreRecordedAlongARun) {
  Study study;
  study.cases = {{.domain = "garnet", .domain_settings = {{"behaviour", "uniform"}}}};
  study.metrics = {Metric::rmse, Metric::mspbe, Metric::effective_samples};
  study.run = {.steps = 4000, .every = 1000, .seeds = 2};
  study.add("lstd", {{"lambda", "0"}});
  study.add("tdrc", {{"alpha", "0.01"}});
  const auto result = compare(PreparedStudy(study));
  for (const SettingSummary& summary : result) {
    ASSERT_EQ(summary.curves.size(), 3U);
    for (const Curve& curve : summary.curves) EXPECT_EQ(curve.at.size(), 5U);
    EXPECT_LT(summary.curves[1].last.mean, summary.curves[1].at[0].mean);
    EXPECT_GT(summary.curves[2].last.mean, summary.curves[2].at[1].mean);
    EXPECT_LT(summary.curves[2].last.mean, 4000);
  }
  EXPECT_EQ(result[0].curves[2].last.mean, result[1].curves[2].last.mean) << "of the steps alone";
}

}  // namespace
}  // namespace bellwether
