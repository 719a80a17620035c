#include <bellwether/experiment/measures.h>

#include <gtest/gtest.h>

#include <bellwether/domains/all.h>
#include <bellwether/experiment/experiment.h>
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
  const Garnet garnet({.behaviour = GarnetBehaviour::uniform});
  Experiment experiment;
  experiment.domain = &garnet;
  experiment.metrics = {Metric::rmse, Metric::mspbe, Metric::effective_samples};
  experiment.contenders = {{"lstd", {{"lambda", "0"}}}, {"tdrc", {{"alpha", "0.01"}}}};
  experiment.steps = 4000;
  experiment.every = 1000;
  experiment.runs = 2;
  const ExperimentResult result = run(experiment);
  for (const LearningCurve& curve : result.curves) {
    ASSERT_EQ(curve.courses.size(), 3U);
    for (const Course& course : curve.courses) EXPECT_EQ(course.at.size(), 5U);
    EXPECT_LT(curve.courses[1].last.mean, curve.courses[1].at[0].mean);
    EXPECT_GT(curve.courses[2].last.mean, curve.courses[2].at[1].mean);
    EXPECT_LT(curve.courses[2].last.mean, 4000);
  }
  EXPECT_EQ(result.curves[0].courses[2].last.mean, result.curves[1].courses[2].last.mean) << "of the steps alone";
}

}  // namespace
}  // namespace bellwether
