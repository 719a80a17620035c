// The learners with sketches, stored transitions and parts of the matrix.
//
// Extreme input: numbers stay finite, nothing is mistaken for divergence, and features without information learn
// nothing. Also the contract (tests/contract) with settings other than the defaults.
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>

#include "support/allocations.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using namespace testing;

class Degenerate : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Learner> make(std::size_t dim, const Settings& more = {}) const {
    Settings settings{{GetParam() == "fast_lstd" ? "alpha" : "lambda", "0.5"}};
    settings.insert(settings.end(), more.begin(), more.end());
    return make_learner(GetParam(), dim, settings);
  }

  /// The weights learned from dense rows f(t), all transitions with discount 0.9 and an end every tenth step.
  template <class F>
  std::vector<double> learned(std::size_t dim, F f, double reward = 1, const Settings& more = {}) {
    BatchBuffer buffer(Layout::dense, dim);
    for (std::uint32_t t = 0; t <= 500; ++t) {
      f(t, buffer.x().add_dense());
      if (t < 500) buffer.add({.reward = reward, .discount = t % 10 == 9 ? 0.0 : 0.9});
    }
    last_ = make(dim, more);
    last_->learn(buffer.view());
    EXPECT_FALSE(last_->diverged_at());
    const auto w = last_->weights();
    for (const double v : w) EXPECT_TRUE(std::isfinite(v));
    return w;
  }

  std::unique_ptr<Learner> last_;
};

TEST_P(Degenerate, FeaturesOfZeroLearnNothing) {
  for (const double w : learned(3, [](auto, auto) {})) EXPECT_EQ(w, 0);
}

TEST_P(Degenerate, OneFeatureIsEnough) {
  const double w = learned(1, [](auto, auto x) { x[0] = 1; })[0];
  EXPECT_GT(w, 1);  // the value of the steps to the end is between 1 and 6.5
  EXPECT_LT(w, 10);
}

TEST_P(Degenerate, AFirstStepOfZerosIsNotFollowedByAnythingStrange) {
  const auto w = learned(2, [](std::uint32_t t, auto x) { x[t % 2] = t < 3 ? 0 : 1; });
  EXPECT_LT(max_size(w), 20);
}

TEST_P(Degenerate, DuplicatesOfAFeatureStayBounded) {
  const auto w = learned(4, [](std::uint32_t t, auto x) {
    for (double& v : x) v = 0.1 * (1 + t % 3);
  });
  EXPECT_LT(max_size(w), 20);
}

TEST_P(Degenerate, LargeRewardsAreLearnedAsSmallOnes) {
  const auto row = [](std::uint32_t t, auto x) { x[t * t % 7 % 3] = 1; };
  const auto small = learned(3, row);
  const auto large = learned(3, row, 1e12);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(large[j], 1e12 * small[j], 1e12 * 1e-9 * max_size(small));
}

TEST_P(Degenerate, TinyFeaturesStayFinite) {
  learned(3, [&](std::uint32_t t, auto x) { x[t * t % 7 % 3] = 1e-12; });
}

TEST_P(Degenerate, HugeFeaturesAreLearnedFromOrTheLossIsTold) {
  if (GetParam() == "fast_lstd") return;  // TD(0) needs a step size of 1e-24 then
  Settings suited;
  if (GetParam() == "atd_diagonal" || GetParam() == "atd_sketch") suited = {{"eta", "1e-27"}};
  for (const double w : learned(
           3, [](std::uint32_t t, auto x) { x[t * t % 7 % 3] = 1e12; }, 1, suited)) {
    EXPECT_GT(w, 1e-12);
    EXPECT_LT(w, 1e-11);
  }
  const auto mixed = [](std::uint32_t t, auto x) { x[0] = 1e12, x[1] = 1, x[2] = 1e-6 * t; };
  const double value = 1e12 * learned(3, mixed, 1, suited)[0];
  if (GetParam() == "projected_lstd") {  // inverse_init = 1 is 24 orders of magnitude too large
    EXPECT_EQ(last_->findings().at(0).first, "steps_that_lost_12_digits");
    return;
  }
  EXPECT_GT(value, 1);
  EXPECT_LT(value, 10);
}

TEST_P(Degenerate, LongStretchesOfRatiosOfZeroChangeNothing) {
  const auto buffer = Experience{.dim = 3, .steps = 2000, .active = 1}.as(Layout::sparse);
  Batch batch = buffer.view();
  const std::vector<double> rho(batch.size, 0.0);
  batch.rho = rho.data();
  const auto learner = make(3);
  learner->learn(batch);
  for (const double w : learner->weights()) EXPECT_EQ(w, 0);
  EXPECT_FALSE(learner->diverged_at());
}

TEST_P(Degenerate, ARankAboveTheDimensionIsTheDimension) {
  if (GetParam() != "projected_lstd" && GetParam() != "atd_sketch") return;
  const auto row = [](std::uint32_t t, auto x) { x[t % 3] = 1; };
  EXPECT_EQ(learned(3, row, 1, {{"rank", "1000000000"}}), learned(3, row, 1, {{"rank", "3"}}));
}

INSTANTIATE_TEST_SUITE_P(Sketches, Degenerate,
                         ::testing::Values("projected_lstd", "fast_lstd", "atd_diagonal", "atd_tridiagonal",
                                           "atd_sketch"),
                         [](const auto& tested) { return tested.param; });

struct Setting {
  std::string learner;
  Settings settings;
};

class UnusualSetting : public ::testing::TestWithParam<Setting> {
 protected:
  std::unique_ptr<Learner> make(std::size_t dim) const {
    return make_learner(GetParam().learner, dim, GetParam().settings);
  }
};

TEST_P(UnusualSetting, LearnsTheSameFromEveryLayoutAndInAnyPiecesWithoutAllocating) {
  const Experience steps{.dim = 20, .steps = 1500, .active = 3, .binary = true, .off_policy = true};
  std::vector<std::vector<double>> weights;
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const auto buffer = steps.as(layout);
    const auto whole = make(20);
    auto pieces = make(20);
    const auto before = allocations();
    whole->learn(buffer.view());
    EXPECT_EQ(allocations(), before);
    for (std::size_t first = 0; first < 1500; first += 50) {
      pieces = pieces->clone();
      const auto after_clone = allocations();
      pieces->learn(buffer.view().slice(first, 50));
      EXPECT_EQ(allocations(), after_clone);
    }
    EXPECT_FALSE(whole->diverged_at());
    weights.push_back(whole->weights());
    EXPECT_EQ(pieces->weights(), weights.back());
  }
  EXPECT_GT(max_size(weights[0]), 1e-3);
  EXPECT_LE(max_difference(weights[0], weights[1]), 1e-10 * max_size(weights[0]));
  EXPECT_EQ(weights[1], weights[2]);
}

std::vector<Setting> unusual_settings() {
  std::vector<Setting> all{{"fast_lstd", {{"alpha", "0.05"}, {"source", "window"}, {"window", "70"}}},
                           {"fast_lstd", {{"alpha", "0.05"}, {"averaging", "true"}, {"c", "100"}, {"updates", "3"}}},
                           {"fast_lstd", {{"alpha", "0.05"}, {"capacity", "1"}}},
                           {"atd_sketch", {{"rank", "0"}}},
                           {"atd_sketch", {{"rank", "20"}, {"trace", "replacing"}}},
                           {"atd_sketch", {{"rank", "4"}, {"trace", "emphatic"}, {"lambda", "0.8"}}},
                           {"atd_diagonal", {{"trace", "replacing"}, {"lambda", "0.8"}}},
                           {"atd_tridiagonal", {{"trace", "replacing"}, {"eta", "10"}}},
                           {"projected_lstd", {{"trace", "emphatic"}, {"rank", "4"}, {"projections", "1"}}}};
  for (const char* kind : {"count_sketch", "srht", "aggregation"}) {
    all.push_back({"projected_lstd", {{"sketch", kind}, {"rank", "6"}, {"lambda", "0.5"}}});
    all.push_back({"atd_sketch", {{"sketch", kind}, {"rank", "6"}, {"lambda", "0.5"}}});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Sketches, UnusualSetting, ::testing::ValuesIn(unusual_settings()),
                         [](const auto& tested) { return tested.param.learner + std::to_string(tested.index); });

}  // namespace
}  // namespace bellwether
