// Every registered learner, in every mode, loads a state that someone has changed either not at all, with one line that
// says so, or as one from which it can go on: it learns, predicts and is saved without touching memory that is not its
// own. The address sanitizer looks for that (make asan).
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>

#include "support/experience.h"
#include "support/learner_modes.h"
#include "support/mutations.h"

namespace bellwether {
namespace {

constexpr testing::Experience experience{
    .dim = 40, .steps = 400, .active = 4, .binary = true, .off_policy = true, .restart_probability = 0.02};

class EveryLearnerDamaged : public ::testing::TestWithParam<std::string> {};

/// A state begins with a text that names the learner: its length in eight bytes, and its characters.
std::size_t identity_size(const std::string& state) {
  std::uint64_t length = 0;
  std::memcpy(&length, state.data(), sizeof length);
  return sizeof length + length;
}

/// What anyone may ask a learner that was loaded.
void use(Learner& learner, const Batch& batch) {
  learner.learn(batch.slice(0, 60));
  std::vector<double> values(20);
  learner.predict(batch.x.slice(0, values.size()), values);
  learner.weights();
  learner.findings();
  learner.learn(batch.slice(60, 40));
  learner.predict(batch.x.row(0));
  learner.clone()->save();
}

TEST_P(EveryLearnerDamaged, IsRefusedWithOneLineOrGoesOn) {
  const LearnerEntry& entry = find_entry(learners(), "learner", GetParam());
  std::size_t refused = 0;
  Rng rng(7);
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = experience.as(layout);
    const Batch batch = steps.view();
    for (const Settings& mode : testing::modes_of(entry)) {
      for (const std::size_t learned : {3, 150}) {
        const auto learner = make_learner(GetParam(), experience.dim, mode);
        learner->learn(batch.slice(0, learned));
        const std::string state = learner->save();
        for (std::size_t i = 0; i < testing::mutations(40); ++i) {
          const auto other = make_learner(GetParam(), experience.dim, mode);
          try {
            other->load(testing::mutated(state, identity_size(state), rng));
          } catch (const InvalidArgument& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            ++refused;
            continue;
          }
          use(*other, batch.slice(learned, 100));
        }
      }
    }
  }
  EXPECT_GT(refused, 0U);
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLearnerDamaged, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace bellwether
