#include <bellwether/learners/all.h>
#include <bellwether/learners/learners.h>

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "support/experience.h"

/// What holds for every learner whose work per step is linear in the features.
namespace bellwether {
namespace {

using namespace testing;

struct Case {
  std::string name;
  Settings settings;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
  for (const auto& [key, value] : c.settings) *out << ' ' << key << '=' << value;
}

class LinearLearners : public ::testing::TestWithParam<Case> {
 protected:
  static std::unique_ptr<Learner> make(std::size_t dim) {
    return make_learner(GetParam().name, dim, GetParam().settings);
  }

  static std::vector<double> learned(const Batch& batch) {
    const auto learner = make(batch.dim());
    learner->learn(batch);
    EXPECT_FALSE(learner->diverged_at());
    EXPECT_GT(max_size(learner->weights()), 1e-2) << "the test shows nothing when nothing is learned";
    return learner->weights();
  }
};

INSTANTIATE_TEST_SUITE_P(
    Learners, LinearLearners,
    ::testing::Values(Case{"td", {{"alpha", "0.05"}, {"lambda", "0.8"}}},                                       //
                      Case{"td", {{"alpha", "0.05"}, {"lambda", "0.8"}, {"trace", "replacing"}}},               //
                      Case{"true_online_td", {{"alpha", "0.05"}, {"lambda", "0.9"}}},                           //
                      Case{"implicit_td", {{"alpha", "0.05"}, {"lambda", "0.9"}}},                              //
                      Case{"etd", {{"alpha", "0.01"}, {"lambda", "0.8"}, {"interest", "0.7"}}},                 //
                      Case{"etd", {{"alpha", "0.01"}, {"lambda", "0.8"}, {"beta", "0.5"}}},                     //
                      Case{"true_online_etd", {{"alpha", "0.01"}, {"lambda", "0.8"}}},                          //
                      Case{"gtd", {{"alpha", "0.05"}, {"lambda", "0.8"}, {"beta", "0.1"}}},                     //
                      Case{"gtd", {{"alpha", "0.1"}, {"lambda", "0.8"}, {"schedule", "boyan"}, {"n0", "10"}}},  //
                      Case{"gtd2", {{"alpha", "0.05"}, {"lambda", "0.8"}, {"beta", "0.1"}}},                    //
                      Case{"htd", {{"alpha", "0.02"}, {"lambda", "0.6"}, {"beta", "0.02"}}},                    //
                      Case{"tdrc", {{"alpha", "0.05"}, {"lambda", "0.8"}}},                                     //
                      Case{"true_online_gtd", {{"alpha", "0.05"}, {"lambda", "0.8"}, {"beta", "0.1"}}},         //
                      Case{"vtrace", {{"alpha", "0.05"}, {"lambda", "0.9"}}},                                   //
                      Case{"tree_backup", {{"alpha", "0.05"}, {"lambda", "0.9"}}},                              //
                      Case{"abtd", {{"alpha", "0.05"}, {"zeta", "0.8"}}}),
    [](const auto& test) { return test.param.name + "_" + std::to_string(test.index); });

/// On-policy learners ignore rho.
bool uses_rho(const std::string& name) { return name != "true_online_td"; }

TEST_P(LinearLearners, LearnTheSameFromSparseAsFromDenseFeaturesOverManySteps) {
  for (const bool off_policy : {false, true}) {
    for (const double end_probability : {0.05, 0.0}) {
      const Experience experience{.dim = 40,
                                  .steps = 20000,
                                  .active = 4,
                                  .non_negative = true,
                                  .off_policy = off_policy,
                                  .state_dependent = off_policy,
                                  .end_probability = end_probability};
      const auto dense = learned(experience.as(Layout::dense).view());
      const auto sparse = learned(experience.as(Layout::sparse).view());
      EXPECT_LE(max_difference(dense, sparse), 1e-10 * std::max(1.0, max_size(dense)));
    }
  }
}

TEST_P(LinearLearners, LearnTheSameFromSparseFeaturesWhenTheTraceDoesNotDecay) {
  Case undecayed = GetParam();
  for (auto& [key, value] : undecayed.settings) {
    if (key == "lambda" || key == "zeta") value = "1";
    if (key == "alpha") value = "0.002";
  }
  const Experience experience{
      .dim = 40, .steps = 20000, .active = 4, .non_negative = true, .discount = 1, .end_probability = 0.005};
  std::vector<double> learned[2];
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto learner = make_learner(undecayed.name, 40, undecayed.settings);
    learner->learn(experience.as(layout).view());
    EXPECT_FALSE(learner->diverged_at());
    learned[layout == Layout::dense ? 0 : 1] = learner->weights();
  }
  EXPECT_LE(max_difference(learned[0], learned[1]), 1e-10 * std::max(1.0, max_size(learned[0])));
  EXPECT_GT(max_size(learned[0]), 1e-2);
}

TEST_P(LinearLearners, LearnTheSameWhenTheLayoutChangesInTheStream) {
  const Experience experience{.dim = 20, .steps = 2000, .binary = true, .off_policy = true};
  const auto dense = experience.as(Layout::dense);
  const auto sparse = experience.as(Layout::sparse);
  const auto binary = experience.as(Layout::binary);
  const BatchBuffer* layouts[] = {&dense, &sparse, &dense, &binary};
  const auto learner = make(20);
  for (std::size_t t = 0; t < 2000; t += 50) learner->learn(layouts[t / 50 % 4]->view().slice(t, 50));
  EXPECT_LE(max_difference(learner->weights(), learned(dense.view())), 1e-12);
}

TEST_P(LinearLearners, LearnTheSameWhateverTheFeaturesAfterTheEndOfAnEpisode) {
  // In a stream x_next is the next start state. Episodes may hand over anything in its place: here zeros and large
  // numbers in turn.
  const auto experience = Experience{.steps = 1000, .off_policy = true, .end_probability = 0.2}.as(Layout::dense);
  Batch batch = experience.view();
  const auto stream = learned(batch);
  RowBuffer x_next(Layout::dense, 8);
  int ends = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (batch.discount[t] == 0) std::ranges::fill(x_next.add_dense(), ++ends % 2 == 0 ? 0.0 : 1e3);
    else x_next.append(batch.x_next.row(t));
  }
  batch.x_next = x_next.view();
  EXPECT_GT(ends, 100);
  EXPECT_EQ(learned(batch), stream);
}

TEST_P(LinearLearners, LearnTheSameFromRatiosOfOneAsFromNone) {
  const auto experience = Experience{.steps = 1000}.as(Layout::dense);
  Batch batch = experience.view();
  const auto given = learned(batch);
  batch.rho = batch.pi = batch.interest = batch.lambda = nullptr;
  batch.restart = nullptr;
  EXPECT_EQ(learned(batch), given);

  const std::vector<double> halves(batch.size, 0.5);
  batch.rho = halves.data();
  if (uses_rho(GetParam().name)) EXPECT_NE(learned(batch), given);
  else EXPECT_EQ(learned(batch), given);
}

TEST_P(LinearLearners, ScaleWithTheReward) {
  const auto experience = Experience{.steps = 1000, .off_policy = true}.as(Layout::dense);
  Batch batch = experience.view();
  auto expected = learned(batch);
  for (double& w : expected) w *= -4;  // a power of two, so rounding scales along
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  for (double& r : reward) r *= -4;
  batch.reward = reward.data();
  EXPECT_EQ(learned(batch), expected);
}

TEST_P(LinearLearners, PermuteTheirWeightsWithTheFeatures) {
  const Experience experience{.steps = 1000, .off_policy = true};
  const auto plain = experience.as(Layout::dense);
  Batch batch = plain.view();
  RowBuffer states(Layout::dense, 8);
  for (std::size_t t = 0; t <= batch.size; ++t) {
    const auto x = plain.x().view().as<DenseView>(t);
    const auto row = states.add_dense();
    for (std::size_t j = 0; j < 8; ++j) row[(3 * j + 1) % 8] = x.values[j];
  }
  const auto expected = learned(batch);
  batch.x = states.view().slice(0, batch.size);
  batch.x_next = states.view().slice(1, batch.size);
  const auto permuted = learned(batch);
  for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(permuted[(3 * j + 1) % 8], expected[j], 1e-12);
}

TEST_P(LinearLearners, StopWithFiniteWeightsAtAStepTheyCanNotTake) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto experience = Experience{.steps = 200}.as(layout);
    Batch batch = experience.view();
    const auto before = learned(batch.slice(0, 100));
    const auto expect_stop = [&](const double*& array, double value) {
      const double* const original = array;
      std::vector<double> changed(original, original + batch.size);
      changed[100] = value;
      array = changed.data();
      const auto learner = make(8);
      learner->learn(batch);
      EXPECT_EQ(learner->diverged_at(), 100U) << value;
      EXPECT_EQ(learner->weights(), before) << value;
      array = original;
    };
    for (const double bad : {1e300, -1e300, infinity, nan}) {
      expect_stop(batch.reward, bad);
      if (uses_rho(GetParam().name)) expect_stop(batch.rho, bad);
    }
  }
}

TEST_P(LinearLearners, KeepFiniteWeightsWhenAHugeStepSizeMakesThemDiverge) {
  const auto& [name, settings] = GetParam();
  Settings huge = settings;
  huge[0] = {"alpha", "100"};
  for (const Layout layout : {Layout::dense, Layout::binary}) {
    const auto experience = Experience{.steps = 5000, .binary = true, .off_policy = true}.as(layout);
    const auto learner = make_learner(name, 8, huge);
    learner->learn(experience.view());
    EXPECT_EQ(learner->diverged_at().has_value(), name != "implicit_td");
    for (const double w : learner->weights()) EXPECT_TRUE(std::isfinite(w));
  }
}

}  // namespace
}  // namespace bellwether
