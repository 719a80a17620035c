#include <bellwether/metrics/value_error.h>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/params.h>
#include <bellwether/domains/all.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/td/td.h>

#include "support/allocations.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::allocations;
using testing::rejection;

/// States 0, 1, 2 with one feature each and values 1, -2, 4.
EvaluationSet example() {
  RowBuffer rows(Layout::binary, 3);
  for (std::uint32_t j = 0; j < 3; ++j) {
    rows.add(j);
    rows.end_row();
  }
  const TableFeatures map("table", 0, std::move(rows));
  EvaluationSet set(map);
  const double values[] = {1, -2, 4};
  for (double s = 0; s < 3; ++s) set.add(map, {&s, 1}, values[static_cast<int>(s)]);
  return set;
}

const std::vector<double> estimates{2, -2, 1};  // off by 1, 0, -3

TEST(ValueError, RelativeIsTheMeanShareByWhichValuesAreMissed) {
  EXPECT_DOUBLE_EQ(value_error(ValueError::relative, example(), estimates), (1.0 / 1 + 0 + 3.0 / 4) / 3);
}

TEST(ValueError, RmseIsTheRootOfTheMeanSquare) {
  EXPECT_DOUBLE_EQ(value_error(ValueError::rmse, example(), estimates), std::sqrt((1.0 + 0 + 9) / 3));
}

TEST(ValueError, WeightsNeedNotSumToOne) {
  EvaluationSet set = example();
  set.weigh(std::vector<double>{3, 1, 4});
  EXPECT_DOUBLE_EQ(value_error(ValueError::relative, set, estimates), (3 * 1.0 + 4 * 0.75) / 8);
  EXPECT_DOUBLE_EQ(value_error(ValueError::rmse, set, estimates), std::sqrt((3 * 1.0 + 4 * 9) / 8));
}

TEST(ValueError, EqualWeightsChangeNothing) {
  EvaluationSet set = example();
  set.weigh(std::vector<double>{0.25, 0.25, 0.25});
  for (const ValueError metric : {ValueError::relative, ValueError::rmse}) {
    EXPECT_DOUBLE_EQ(value_error(metric, set, estimates), value_error(metric, example(), estimates));
  }
}

TEST(ValueError, IsZeroForTheTrueValues) {
  const EvaluationSet set = example();
  for (const ValueError metric : {ValueError::relative, ValueError::rmse})
    EXPECT_EQ(value_error(metric, set, set.values()), 0);
}

TEST(ValueError, RejectsAnotherNumberOfEstimatesAndAnEmptySet) {
  EXPECT_EQ(rejection([] { value_error(ValueError::rmse, example(), std::vector<double>{1}); }),
            "evaluation set: 1 estimates for 3 states");
  const RandomWalk walk({});
  EXPECT_EQ(rejection([&] { value_error(ValueError::rmse, EvaluationSet(*walk.features()), {}); }),
            "evaluation set: there are no states");
}

TEST(EvaluationSet, OfAFiniteDomainHoldsEveryStateWithItsValueAndFeatures) {
  const BoyanChain chain({});
  const auto map = chain.features();
  const EvaluationSet set = EvaluationSet::every_state(chain, *map);
  ASSERT_EQ(set.size(), 12U);
  ASSERT_EQ(set.rows().rows, 12U);
  EXPECT_TRUE(set.weights().empty());
  for (std::size_t s = 0; s < 12; ++s) {
    const double state = static_cast<double>(s) + 1;
    EXPECT_NEAR(set.values()[s], -2 * state, 1e-12);
    RowBuffer row(map->layout(), map->dim());
    map->append({&state, 1}, row);
    const auto expected = row.view().as<DenseView>(0);
    const auto x = set.rows().as<DenseView>(s);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(x.values[j], expected.values[j]);
  }
}

TEST(EvaluationSet, SuggestsTheRelativeErrorUnlessValuesChangeSignOrAreZero) {
  const auto suits = [](const Domain& domain) {
    return EvaluationSet::every_state(domain, *domain.features()).suitable_error();
  };
  EXPECT_EQ(suits(BoyanChain({})), ValueError::relative);
  EXPECT_EQ(suits(Collision({})), ValueError::relative);
  EXPECT_EQ(suits(RandomWalk({.size = 5, .left = 0})), ValueError::relative);
  EXPECT_EQ(suits(RandomWalk({})), ValueError::rmse) << "the middle state is worth 0, up to rounding";
  EXPECT_EQ(suits(RandomWalk({.size = 401})), ValueError::rmse);
  EXPECT_EQ(suits(RandomWalk({.size = 4})), ValueError::rmse) << "values from -0.6 to 0.6";
  EXPECT_EQ(suits(Baird({})), ValueError::rmse) << "every state is worth 0";
}

TEST(EvaluationSet, AValueOfZeroThatDoesNotCountDoesNotForbidTheRelativeError) {
  const RandomWalk walk({.size = 3});
  EvaluationSet set = EvaluationSet::every_state(walk, *walk.features());
  EXPECT_FALSE(set.allows(ValueError::relative));
  set.weigh(std::vector<double>{1, 0, 1});
  EXPECT_TRUE(set.allows(ValueError::relative));
  EXPECT_NEAR(value_error(ValueError::relative, set, std::vector<double>{-1, 9, 0.5}), 0.5, 1e-14);
}

TEST(EvaluationSet, OfEveryStateCanBeWeighedByVisits) {
  // On the collision road d = (2, 4, 6, 8, 8, 4, 2, 1) / 35; states that are off by 1, 0, ..., 0, 2.
  const Collision collision({});
  EvaluationSet set = EvaluationSet::every_state(collision, *collision.features());
  set.weigh(collision.model()->visit_distribution());
  std::vector<double> off = set.values();
  off[0] += 1;
  off[7] += 2;
  EXPECT_NEAR(value_error(ValueError::rmse, set, off), std::sqrt((2 * 1.0 + 1 * 4.0) / 35), 1e-15);
}

TEST(EvaluationSet, CanBeGivenByFeaturesAndValues) {
  const EvaluationSet given(example().rows(), example().values());
  EXPECT_EQ(given.values(), example().values());
  EXPECT_EQ(given.rows().rows, 3U);
  EXPECT_DOUBLE_EQ(value_error(ValueError::rmse, given, estimates), std::sqrt(10.0 / 3));
  EXPECT_EQ(rejection([] { EvaluationSet set(example().rows(), std::vector<double>{1}); }),
            "evaluation set: 1 values for 3 states");
  EXPECT_EQ(rejection([] {
              EvaluationSet set(example().rows(), std::vector<double>{1, std::nan(""), 1});
            }),
            "evaluation set: the value nan of a state is not finite");
}

TEST(EvaluationSet, RejectsWeightsThatAreNone) {
  EvaluationSet set = example();
  EXPECT_EQ(rejection([&] { set.weigh(std::vector<double>{1, 2}); }), "evaluation set: 2 weights for 3 states");
  EXPECT_EQ(rejection([&] {
              set.weigh(std::vector<double>{1, -2, 1});
            }),
            "evaluation set: weight = -2 is outside [0, inf)");
  EXPECT_EQ(rejection([&] {
              set.weigh(std::vector<double>{1, std::nan(""), 1});
            }),
            "evaluation set: weight = nan is outside [0, inf)");
  EXPECT_EQ(rejection([&] {
              set.weigh(std::vector<double>{0, 0, 0});
            }),
            "evaluation set: the sum of weights = 0 is outside (0, inf)");
  EXPECT_TRUE(set.weights().empty()) << "a rejected weighting leaves the set as it was";
}

TEST(Evaluator, JudgesALearnerByItsPredictions) {
  Evaluator error(example(), ValueError::rmse);
  TD learner(3, {});
  learner.start_from(estimates);
  EXPECT_DOUBLE_EQ(error(learner), std::sqrt(10.0 / 3));
  EXPECT_EQ(error.estimates(), estimates);
  EXPECT_EQ(Evaluator(example()).metric(), ValueError::rmse) << "values of both signs";
}

TEST(Evaluator, GivesErrorsByEveryMetricOfEstimatesThatAreMadeOnce) {
  Evaluator error(example());
  error.estimate(estimates);
  for (const ValueError metric : {ValueError::relative, ValueError::rmse}) {
    Evaluator alone(example(), metric);
    EXPECT_EQ(error.error(metric), alone(estimates));
    std::vector<double> lanes(8 * estimates.size());
    for (std::size_t j = 0; j < lanes.size(); ++j) lanes[j] = estimates[j / 8] + static_cast<double>(j % 8);
    error.estimate_eight(lanes);
    std::array<double, 8> together{};
    std::array<double, 8> expected{};
    error.errors_of_eight(metric, together);
    alone.eight(lanes, expected);
    EXPECT_EQ(together, expected);
  }
}

TEST(Evaluator, GivesTheFixedPointOfBoyansChainNoError) {
  const BoyanChain chain({});
  Evaluator error(EvaluationSet::every_state(chain, *chain.features()));
  TD learner(4, {});
  learner.start_from(std::vector<double>{-24, -16, -8, 0});
  EXPECT_LT(error(learner), 1e-14);
}

TEST(Evaluator, AllocatesNothingAfterTheFirstTime) {
  Evaluator relative(example());
  Evaluator rmse(example(), ValueError::rmse);
  const TD learner(3, {});
  double sum = relative(learner) + rmse(learner);
  const std::size_t before = allocations();
  sum += relative(learner) + rmse(learner);
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(sum, 0);
}

TEST(Evaluator, RejectsTheRelativeErrorWhereAValueIsZero) {
  const RandomWalk walk({});
  EXPECT_EQ(
      rejection([&] { Evaluator error(EvaluationSet::every_state(walk, *walk.features()), ValueError::relative); }),
      "evaluation set: metric = relative divides by the value of a state that is 0; use rmse");
}

TEST(ValueError, CanBeAParameter) {
  struct Params {
    ValueError metric = ValueError::rmse;
    static constexpr auto fields() { return std::tuple{Field("metric", &Params::metric, "how errors are measured")}; }
  };
  EXPECT_EQ(parse_params<Params>("test", {{"metric", "relative"}}).metric, ValueError::relative);
  EXPECT_EQ(describe<Params>()[0].accepts, "relative | rmse");
}

}  // namespace
}  // namespace bellwether
