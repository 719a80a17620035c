#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <bellwether/core/error.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "support/experience.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::Experience;

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::vector<Settings> over(const std::string& parameter, const std::vector<std::string>& values, const Settings& rest) {
  std::vector<Settings> all;
  for (const std::string& value : values) all.push_back(with(rest, {{parameter, value}}));
  return all;
}

/// Compares every member with the learner alone, in batches: weights, divergence and findings, bit for bit.
void expect_equal_to_learners_alone(const std::string& name, const std::vector<Settings>& members, const Batch& all,
                                    const std::vector<double>& start = {}) {
  for (const Settings& settings : members) ASSERT_EQ(sharing_key(name, settings), sharing_key(name, members.front()));
  const auto together = make_ensemble(name, all.dim(), members);
  ASSERT_EQ(together->size(), members.size());
  std::vector<std::unique_ptr<Learner>> alone;
  for (const Settings& settings : members) alone.push_back(make_learner(name, all.dim(), settings));
  if (!start.empty()) {
    together->start_from(start);
    for (auto& learner : alone) learner->start_from(start);
  }
  const std::size_t batch = 37;
  std::vector<double> w(all.dim());
  for (std::size_t first = 0; first < all.size; first += batch) {
    const Batch part = all.slice(first, std::min(batch, all.size - first));
    together->learn(part);
    for (std::size_t k = 0; k < members.size(); ++k) {
      alone[k]->learn(part);
      together->weights(k, w);
      ASSERT_EQ(w, alone[k]->weights()) << name << ", member " << k << " after step " << first + part.size;
      ASSERT_EQ(together->diverged_at(k), alone[k]->diverged_at()) << name << ", member " << k;
      ASSERT_EQ(together->findings(k), alone[k]->findings()) << name << ", member " << k;
    }
  }
}

struct Case {
  const char* label;
  Experience experience;
  Layout layout;
};

std::vector<Case> cases() {
  const Experience plain{.dim = 12, .steps = 300, .active = 4, .restart_probability = 0.02};
  Experience binary = plain;
  binary.dim = 30;
  binary.binary = true;
  Experience off_policy = plain;
  off_policy.off_policy = true;
  off_policy.state_dependent = true;
  return {{"dense", plain, Layout::dense},
          {"sparse", plain, Layout::sparse},
          {"binary", binary, Layout::binary},
          {"off-policy, dense", off_policy, Layout::dense},
          {"off-policy, sparse", off_policy, Layout::sparse}};
}

void on_every_layout(const std::string& name, const std::vector<Settings>& members) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.label);
    const BatchBuffer steps = c.experience.as(c.layout);
    expect_equal_to_learners_alone(name, members, steps.view());
  }
}

std::vector<Settings> atd_settings(const Settings& rest) {
  return {with({{"eta", "0.001"}}, rest), with({{"eta", "0.02"}, {"alpha0", "0.5"}}, rest),
          with({{"eta", "0"}, {"cutoff", "0.1"}}, rest), with({{"eta", "0.005"}, {"cutoff", "0.1"}}, rest)};
}

TEST(SharedFactorisation, ATDMembersOfAnyStepSizeAndCutoffEqualTheLearnerAlone) {
  on_every_layout("atd", atd_settings({{"rank", "3"}, {"lambda", "0.8"}}));
  on_every_layout("atd", atd_settings({{"rank", "0"}}));
  on_every_layout("atd", over("cutoff", {"0", "1e-4"}, {{"rank", "5"}}));
}

TEST(SharedFactorisation, ATDMembersShareTracesOfEveryRule) {
  for (const char* rule : {"replacing", "emphatic"}) {
    SCOPED_TRACE(rule);
    on_every_layout("atd", atd_settings({{"rank", "4"}, {"lambda", "0.5"}, {"trace", rule}}));
  }
}

TEST(SharedFactorisation, ATDMembersOfDifferentRanksEqualTheLearnerAloneWhenAsManySingularValuesAreKept) {
  const Settings rest{{"kept", "5"}, {"lambda", "0.6"}};
  std::vector<Settings> members = over("rank", {"1", "3", "5"}, rest);
  members.push_back({{"rank", "5"}, {"lambda", "0.6"}});
  members.push_back({{"rank", "5"}, {"lambda", "0.6"}, {"cap_rank", "true"}});
  on_every_layout("atd", members);
}

TEST(SharedFactorisation, ATDMembersThatFactorInBatchesEqualTheLearnerAlone) {
  on_every_layout("atd", atd_settings({{"rank", "3"}, {"lambda", "0.8"}, {"batch", "7"}}));
  on_every_layout("atd", over("rank", {"2", "4"}, {{"kept", "4"}, {"batch", "3"}, {"cutoff", "0"}}));
}

TEST(SharedFactorisation, ATDMemberThatDivergesLeavesTheOthersAlone) {
  for (const char* batch : {"1", "5"}) {
    const auto members =
        over("eta", {"0.001", "1e3", "0.002", "30"}, {{"rank", "3"}, {"lambda", "0.8"}, {"batch", batch}});
    on_every_layout("atd", members);
    const BatchBuffer steps = Experience{.steps = 300}.as(Layout::dense);
    const auto together = make_ensemble("atd", 8, members);
    together->learn(steps.view());
    EXPECT_FALSE(together->diverged_at(0));
    EXPECT_TRUE(together->diverged_at(1));
    EXPECT_FALSE(together->diverged_at(2));
    EXPECT_TRUE(together->diverged_at(3));
    EXPECT_NE(together->diverged_at(1), together->diverged_at(3));
  }
}

TEST(SharedFactorisation, ATDMembersThatAllDivergeSaySoEach) {
  on_every_layout("atd", over("eta", {"1e5", "1e3", "1e4"}, {{"rank", "2"}, {"lambda", "0.8"}}));
}

TEST(SharedFactorisation, StepsThatNoMemberCanTakeEndThemAll) {
  BatchBuffer steps = Experience{.steps = 60}.as(Layout::dense);
  Batch batch = steps.view();
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  reward[41] = 1e60;
  batch.reward = reward.data();
  expect_equal_to_learners_alone("atd", over("eta", {"0.1", "0.01"}, {{"rank", "2"}}), batch);
  expect_equal_to_learners_alone("tlstd", over("cutoff", {"0.1", "0.01"}, {{"rank", "2"}}), batch);
  expect_equal_to_learners_alone("ilstd", over("alpha", {"0.001", "0.01"}, {}), batch);
  expect_equal_to_learners_alone("lstd", over("inverse_init", {"0.1", "1", "10"}, {{"method", "direct"}}), batch);
}

TEST(SharedFactorisation, MembersStartFromTheGivenWeights) {
  const BatchBuffer steps = Experience{}.as(Layout::sparse);
  const std::vector<double> start{1, -2, 3, 0.5, 0, 1, 1, -1};
  expect_equal_to_learners_alone("atd", over("eta", {"0.1", "0.01"}, {{"rank", "2"}}), steps.view(), start);
  expect_equal_to_learners_alone("tlstd", over("cutoff", {"0.1", "0.01"}, {{"rank", "2"}}), steps.view(), start);
  expect_equal_to_learners_alone("ilstd", over("alpha", {"0.001", "0.01"}, {}), steps.view(), start);
  expect_equal_to_learners_alone("lstd", over("inverse_init", {"0.1", "1", "10"}, {{"method", "direct"}}), steps.view(),
                                 start);
}

TEST(SharedFactorisation, ATDWithMoreKeptThanItsRankInvertsNoMoreThanItsRank) {
  const BatchBuffer steps = Experience{.dim = 12, .steps = 200}.as(Layout::sparse);
  const auto learner = make_learner("atd", 12, {{"rank", "2"}, {"kept", "6"}, {"cutoff", "0"}});
  for (std::size_t t = 0; t < 200; ++t) {
    learner->learn(steps.view().slice(t, 1));
    EXPECT_LE(std::stoi(learner->findings().front().second), 2);
  }
}

TEST(SharedFactorisation, KeptBelowTheRankIsRejected) {
  EXPECT_EQ(testing::rejection([] {
              make_learner("atd", 4, {{"rank", "3"}, {"kept", "2"}});
            }),
            "atd: kept = 2 is less than rank = 3");
  EXPECT_EQ(testing::rejection([] {
              make_learner("tlstd", 4, {{"rank", "3"}, {"kept", "2"}});
            }),
            "tlstd: kept = 2 is less than rank = 3");
}

TEST(SharedFactorisation, OnlySettingsWithOneFactorisationHaveEqualKeys) {
  const auto key = [](const Settings& settings) { return sharing_key("atd", settings); };
  EXPECT_EQ(key({{"rank", "4"}, {"eta", "1"}}), key({{"rank", "2"}, {"kept", "4"}, {"cutoff", "0.5"}}));
  EXPECT_NE(key({{"rank", "4"}}), key({{"rank", "2"}}));
  EXPECT_NE(key({{"rank", "4"}}), key({{"rank", "4"}, {"kept", "5"}}));
  EXPECT_NE(key({{"rank", "0"}, {"kept", "5"}}), key({{"rank", "5"}}));
  EXPECT_NE(key({{"lambda", "0.1"}}), key({{"lambda", "0.2"}}));
  EXPECT_NE(key({{"cutoff", "1e-4"}}), key({{"cutoff", "1e-2"}}));
  EXPECT_EQ(key({{"cutoff", "1e-4"}, {"batch", "2"}}), key({{"cutoff", "1e-2"}, {"batch", "2"}}));
  EXPECT_NE(sharing_key("lstd", {{"method", "direct"}}), sharing_key("lstd", {}));
  EXPECT_NE(sharing_key("lstd", {{"inverse_init", "2"}}), sharing_key("lstd", {}));
}

TEST(SharedFactorisation, TLSTDMembersOfAnyCutoffAndRankEqualTheLearnerAlone) {
  on_every_layout("tlstd", over("cutoff", {"0", "0.01", "0.3"}, {{"rank", "3"}, {"lambda", "0.8"}}));
  on_every_layout("tlstd", over("cutoff", {"0", "0.1"}, {{"rank", "3"}, {"block", "4"}, {"trace", "emphatic"}}));
  std::vector<Settings> ranks = over("rank", {"1", "3", "5"}, {{"kept", "5"}});
  ranks.push_back({{"rank", "5"}});
  on_every_layout("tlstd", ranks);
}

TEST(SharedFactorisation, ILSTDMembersOfAnyStepSizeEqualTheLearnerAlone) {
  on_every_layout("ilstd", over("alpha", {"0.001", "0.01", "1e-5"}, {{"lambda", "0.5"}}));
  on_every_layout("ilstd", over("alpha", {"0.5", "10", "1e-3"}, {{"picks", "3"}, {"schedule", "harmonic"}}));
  on_every_layout("ilstd", over("alpha", {"100", "10", "30"}, {{"schedule", "constant"}, {"picks", "2"}}));
}

TEST(SharedFactorisation, LSTDMembersOfAnyRidgeEqualTheLearnerAlone) {
  on_every_layout("lstd", over("inverse_init", {"1e-3", "1", "1e4"}, {{"lambda", "0.7"}, {"method", "direct"}}));
  on_every_layout("lstd", over("inverse_init", {"1e-60", "1", "1e60"}, {{"trace", "emphatic"}, {"method", "direct"}}));
  on_every_layout("lstd", over("inverse_init", {"2", "2"}, {{"lambda", "0.7"}}));
}

}  // namespace
}  // namespace bellwether
