// What every registered learner promises of being saved, loaded and merged (core/learner.h), in every mode it has.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>

#include "support/allocations.h"
#include "support/experience.h"
#include "support/learner_modes.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::Experience;
using testing::modes_of;
using testing::rejection;

constexpr Experience experience{.dim = 40,
                                .steps = 400,
                                .active = 4,
                                .binary = true,
                                .off_policy = true,
                                .state_dependent = true,
                                .restart_probability = 0.02};

class EveryLearnerSaved : public ::testing::TestWithParam<std::string> {
 protected:
  const LearnerEntry& entry() const { return find_entry(learners(), "learner", GetParam()); }
  std::unique_ptr<Learner> make(const Settings& settings, std::size_t dim = 40) const {
    return make_learner(GetParam(), dim, settings);
  }
  std::unique_ptr<Learner> learned(const Settings& settings, const Batch& batch) const {
    auto learner = make(settings);
    learner->learn(batch);
    return learner;
  }
  std::unique_ptr<Learner> loaded(const Settings& settings, const std::string& state) const {
    auto learner = make(settings);
    learner->load(state);
    return learner;
  }
};

void expect_equal(const Learner& a, const Learner& b, const FeatureRows& rows) {
  EXPECT_EQ(a.weights(), b.weights());
  EXPECT_EQ(a.findings(), b.findings());
  EXPECT_EQ(a.steps(), b.steps());
  EXPECT_EQ(a.diverged_at(), b.diverged_at());
  std::vector<double> of_a(rows.rows);
  std::vector<double> of_b(rows.rows);
  a.predict(rows, of_a);
  b.predict(rows, of_b);
  EXPECT_EQ(of_a, of_b);
  EXPECT_TRUE(a.save() == b.save()) << "states differ";
}

TEST_P(EveryLearnerSaved, GoesOnBitForBit) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const auto steps = experience.as(layout);
    const Batch batch = steps.view();
    for (const Settings& mode : modes_of(entry())) {
      SCOPED_TRACE(text_of(mode) + " layout " + std::to_string(static_cast<int>(layout)));
      const auto whole = learned(mode, batch);
      for (const std::size_t cut : {0, 1, 7, 64, 203}) {
        const auto resumed = loaded(mode, learned(mode, batch.slice(0, cut))->save());
        resumed->learn(batch.slice(cut, batch.size - cut));
        expect_equal(*resumed, *whole, batch.x.slice(0, 20));
        if (HasFailure()) FAIL() << "cut after " << cut;
      }
    }
  }
}

TEST_P(EveryLearnerSaved, GoesOnInAnotherLayoutAndFromOtherWeightsThanZero) {
  const auto dense = experience.as(Layout::dense);
  const auto sparse = experience.as(Layout::sparse);
  std::vector<double> start(40);
  for (std::size_t j = 0; j < start.size(); ++j) start[j] = std::sin(static_cast<double>(j));
  for (const auto& [first, second] : {std::pair{&dense, &sparse}, {&sparse, &dense}}) {
    for (const Settings& mode : modes_of(entry())) {
      SCOPED_TRACE(text_of(mode));
      const auto whole = make(mode);
      whole->start_from(start);
      whole->learn(first->view().slice(0, 100));
      const auto resumed = loaded(mode, whole->save());
      for (Learner* each : {whole.get(), resumed.get()}) each->learn(second->view().slice(100, 100));
      expect_equal(*resumed, *whole, second->view().x.slice(0, 20));
    }
  }
}

TEST_P(EveryLearnerSaved, IsTheSameBytesOnceLoaded) {
  const auto steps = experience.as(Layout::sparse);
  for (const Settings& mode : modes_of(entry())) {
    const std::string state = learned(mode, steps.view().slice(0, 150))->save();
    EXPECT_TRUE(loaded(mode, state)->save() == state) << text_of(mode);
  }
}

TEST_P(EveryLearnerSaved, AllocatesNothingWhileLearningOnceLoaded) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const auto steps = experience.as(layout);
    for (const Settings& mode : modes_of(entry())) {
      const auto learner = loaded(mode, learned(mode, steps.view().slice(0, 30))->save());
      const auto before = testing::allocations();
      learner->learn(steps.view().slice(30, 370));
      EXPECT_EQ(testing::allocations(), before) << text_of(mode);
    }
  }
}

TEST_P(EveryLearnerSaved, StaysDivergedOnceLoaded) {
  const auto steps = experience.as(Layout::sparse);
  Batch batch = steps.view();
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  reward[100] = std::nan("");
  batch.reward = reward.data();
  for (const Settings& mode : modes_of(entry())) {
    const auto diverged = learned(mode, batch.slice(0, 150));
    ASSERT_EQ(diverged->diverged_at(), 100U) << text_of(mode);
    const auto resumed = loaded(mode, diverged->save());
    EXPECT_EQ(resumed->diverged_at(), 100U);
    resumed->learn(steps.view());
    EXPECT_EQ(resumed->weights(), diverged->weights()) << text_of(mode);
    EXPECT_EQ(resumed->steps(), 550U);
  }
}

TEST_P(EveryLearnerSaved, RejectsAStateThatEndsTooEarly) {
  const auto steps = experience.as(Layout::sparse);
  for (const Settings& mode : modes_of(entry())) {
    const std::string state = learned(mode, steps.view().slice(0, 50))->save();
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{9}, state.size() / 3, state.size() / 2,
                                   state.size() - 9, state.size() - 1}) {
      EXPECT_NE(rejection([&] { loaded(mode, state.substr(0, size)); }), "accepted") << text_of(mode) << " " << size;
    }
    EXPECT_NE(rejection([&] { loaded(mode, state + "x"); }), "accepted") << text_of(mode);
  }
}

TEST_P(EveryLearnerSaved, RejectsTheStateOfAnotherLearner) {
  const auto steps = experience.as(Layout::sparse);
  const auto all = modes_of(entry());
  const std::string state = learned(all.front(), steps.view())->save();
  for (const LearnerEntry& other : learners()) {
    if (other.name == GetParam()) continue;
    const auto learner = make_learner(other.name, 40, modes_of(other).front());
    EXPECT_NE(rejection([&] { learner->load(state); }).find("cannot load"), std::string::npos) << other.name;
  }
  EXPECT_NE(rejection([&] { loaded({{"lambda", "0.25"}}, state); }), "accepted");
  EXPECT_NE(rejection([&] { make(all.front(), 41)->load(state); }).find("40 features"), std::string::npos);
}

TEST_P(EveryLearnerSaved, RejectsToLoadOnceLearningHasBegun) {
  const auto steps = experience.as(Layout::sparse);
  const auto learner = learned({}, steps.view().slice(0, 3));
  const std::string state = learner->save();
  EXPECT_EQ(rejection([&] { learner->load(state); }), GetParam() + ": a state is loaded after 3 steps of learning");
}

TEST_P(EveryLearnerSaved, IsRejectedOrReadWhereverItIsDamaged) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = experience.as(layout);
    const Settings mode = modes_of(entry()).front();
    const std::string state = learned(mode, steps.view().slice(0, 50))->save();
    const std::size_t stride = std::max<std::size_t>(1, state.size() / 500);
    for (std::size_t place = 0; place + 8 < state.size(); place += stride) {
      std::string damaged = state;
      std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(place), 8, '\xfe');
      try {
        loaded(mode, damaged);
      } catch (const InvalidArgument&) {
      }
    }
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLearnerSaved, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace bellwether
