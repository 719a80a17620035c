// Every registered learner on random streams: of any dimension and sparsity, with discounts and ratios of zero,
// episodes that end and are cut, and numbers from 1e-150 to 1e150.
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bellwether/learners/learners.h>

#include "support/experience.h"
#include "support/learner_modes.h"
#include "support/random_streams.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::max_difference;
using testing::max_size;
using testing::random_scale;
using testing::random_stream;

class EveryLearnerOnRandomStreams : public ::testing::TestWithParam<std::string> {
 protected:
  /// The learner in one of its modes, after all steps.
  std::unique_ptr<Learner> learned(const BatchBuffer& steps, std::size_t dim, std::size_t mode = 0) const {
    static const auto modes = [this] {
      std::map<std::string, std::vector<Settings>> all;
      for (const LearnerEntry& entry : learners()) all[entry.name] = testing::modes_of(entry);
      return all;
    }();
    const auto& of_learner = modes.at(GetParam());
    auto learner = make_learner(GetParam(), dim, of_learner[mode % of_learner.size()]);
    learner->learn(steps.view());
    return learner;
  }
};

TEST_P(EveryLearnerOnRandomStreams, HasFiniteWeightsAtAnyScale) {
  EXPECT_TRUE(rc::check([this] {
    Experience stream = random_stream();
    stream.feature_scale = random_scale();
    stream.reward_scale = random_scale();
    const std::size_t mode = *rc::gen::inRange<std::size_t>(0, 20);
    for (const Layout layout : {Layout::dense, Layout::sparse}) {
      const auto learner = learned(stream.as(layout), stream.dim, mode);
      RC_ASSERT(learner->steps() == stream.steps);
      RC_ASSERT(!learner->diverged_at() || *learner->diverged_at() < stream.steps);
      for (const double w : learner->weights()) RC_ASSERT(std::isfinite(w));
    }
  }));
}

TEST_P(EveryLearnerOnRandomStreams, LearnsTheSameFromEveryLayout) {
  EXPECT_TRUE(rc::check([this] {
    Experience stream = random_stream();
    stream.binary = true;
    stream.reward_scale = std::pow(10.0, *rc::gen::inRange(-100, 101));
    const auto dense = learned(stream.as(Layout::dense), stream.dim);
    const auto sparse = learned(stream.as(Layout::sparse), stream.dim);
    const auto binary = learned(stream.as(Layout::binary), stream.dim);
    RC_ASSERT(sparse->diverged_at() == binary->diverged_at());
    RC_ASSERT(sparse->weights() == binary->weights());
    if (dense->diverged_at() || max_size(dense->weights()) > 1e4 * stream.reward_scale) return;  // and rounding grows
    RC_ASSERT(!sparse->diverged_at());
    RC_ASSERT(max_difference(dense->weights(), sparse->weights()) <= 1e-7 * max_size(dense->weights()));
  }));
}

TEST_P(EveryLearnerOnRandomStreams, LearnsTheSameFromStreamsThatOnceBrokeALearner) {
  // atd had weights that were not numbers, as a root of its secular equation was a pole; lstd_krylov had zeros, as its
  // features were orthogonal to the random signs of the solver.
  const Experience atd{
      .dim = 5, .steps = 3, .active = 4, .binary = true, .discount = 0, .end_probability = 0.5, .seed = 2};
  const Experience krylov{.dim = 9,
                          .steps = 2,
                          .active = 6,
                          .binary = true,
                          .off_policy = true,
                          .discount = 0,
                          .end_probability = 0,
                          .restart_probability = 0.1,
                          .seed = 91};
  for (const Experience& stream : {atd, krylov}) {
    const auto dense = learned(stream.as(Layout::dense), stream.dim)->weights();
    const auto sparse = learned(stream.as(Layout::sparse), stream.dim)->weights();
    for (const double w : dense) EXPECT_TRUE(std::isfinite(w));
    EXPECT_LE(max_difference(dense, sparse), 1e-9 * max_size(dense));
    EXPECT_EQ(sparse, learned(stream.as(Layout::binary), stream.dim)->weights());
  }
}

/// Learners for which only lengths and angles of features matter. Not those that have a step size for every feature,
/// pick single ones, draw numbers for them, or look at them one by one in another way.
bool turns_with_features(const std::string& learner) {
  static const std::set<std::string> all{
      "td",         "true_online_td", "etd",  "true_online_etd", "vtrace", "abtd",     "gtd",         "gtd2",
      "htd",        "tdrc",           "lstd", "tlstd",           "atd",    "atd_full", "tree_backup", "true_online_gtd",
      "implicit_td"};
  return all.count(learner) > 0;
}

TEST_P(EveryLearnerOnRandomStreams, TakesAFeatureThatIsRepeatedForOneThatIsLonger) {
  if (!turns_with_features(GetParam())) return;
  // (x, x) is (sqrt(2) x, 0) turned: values agree, and both copies have half of them.
  EXPECT_TRUE(rc::check([this] {
    Experience stream = random_stream();
    stream.binary = stream.state_dependent = false;
    stream.feature_scale = std::pow(10.0, *rc::gen::inRange(-2, 1));
    const auto twins =
        learned(testing::repeated(stream.as(Layout::sparse).view(), Layout::sparse), 2 * stream.dim)->weights();
    stream.feature_scale *= std::sqrt(2.0);
    const auto one = learned(stream.as(Layout::sparse), stream.dim);
    if (one->diverged_at() || max_size(one->weights()) > 1e3) return;
    const double tolerance = 1e-6 * max_size(one->weights());
    for (std::size_t j = 0; j < stream.dim; ++j) {
      RC_ASSERT(std::abs(twins[j] - twins[stream.dim + j]) <= tolerance);
      RC_ASSERT(std::abs(twins[j] + twins[stream.dim + j] - std::sqrt(2.0) * one->weights()[j]) <= 3 * tolerance);
    }
  }));
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLearnerOnRandomStreams, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace bellwether
