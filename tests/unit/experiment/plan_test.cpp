#include <bellwether/experiment/plan.h>

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/results/store.h>

namespace bellwether {
namespace {

/// Twelve settings of three learners on each of two cases, 25 seeds: three blocks, the last of five.
Study study() {
  return parse_study(R"(
[domain]
name = "boyan_chain"
size = [12, 16]
[run]
steps = 100
seeds = 25
[[learner]]
name = "td"
lambda = [0, 0.5]
alpha = [0.1, 0.2, 0.4]
[[learner]]
name = "lstd"
lambda = [0, 1]
[[learner]]
name = "td"
label = "again"
alpha = [0.1, 0.2, 0.3, 0.4]
)",
                     "small.toml");
}

const auto nothing_is_done = [](std::size_t, std::uint64_t) { return false; };

std::vector<WorkUnit> cut(const Study& study, const std::vector<SharingGroup>& groups, double seconds) {
  return cut_into_units(study, groups, {std::vector<double>(groups.size(), 0.01), 0.001}, seconds, nothing_is_done);
}

void expect_every_run_once(const Study& study, const std::vector<WorkUnit>& units) {
  std::map<std::pair<std::size_t, std::uint64_t>, int> times;
  for (const WorkUnit& work : units) {
    EXPECT_FALSE(work.settings.empty());
    EXPECT_EQ(work.first_seed / seeds_per_block, (work.first_seed + work.seeds - 1) / seeds_per_block) << "one block";
    for (const std::size_t i : work.settings) {
      EXPECT_EQ(study.settings[i].case_index, work.case_index);
      for (std::uint64_t seed = 0; seed < work.seeds; ++seed) ++times[{i, work.first_seed + seed}];
    }
  }
  EXPECT_EQ(times.size(), study.runs());
  for (const auto& one : times) EXPECT_EQ(one.second, 1);
}

TEST(SharingGroups, HoldEverySettingOnce) {
  const Study s = study();
  for (const bool sharing : {true, false}) {
    std::vector<int> times(s.settings.size());
    std::size_t first = 0;
    for (const SharingGroup& group : sharing_groups(s, sharing)) {
      ASSERT_FALSE(group.settings.empty());
      EXPECT_GE(group.settings.front(), first) << "in the order of their first settings";
      first = group.settings.front();
      for (const std::size_t i : group.settings) ++times[i];
    }
    EXPECT_EQ(times, std::vector<int>(s.settings.size(), 1));
  }
}

TEST(SharingGroups, AreSettingsOfOneCaseWithOneKey) {
  const Study s = study();
  std::set<std::pair<std::size_t, std::string>> keys;
  for (const SharingGroup& group : sharing_groups(s)) {
    std::set<std::string> of_group;
    for (const std::size_t i : group.settings) {
      EXPECT_EQ(s.settings[i].case_index, group.case_index);
      of_group.insert(sharing_key(s.settings[i].learner, s.settings[i].parameters));
    }
    EXPECT_EQ(of_group.size(), 1U);
    EXPECT_TRUE(keys.emplace(group.case_index, *of_group.begin()).second) << "no two groups could be one";
  }
}

TEST(SharingGroups, AreSingleSettingsWhenNothingIsToBeShared) {
  const Study s = study();
  const auto groups = sharing_groups(s, false);
  EXPECT_EQ(groups.size(), s.settings.size());
}

TEST(SharingGroups, CostTheSameWhateverTheTraceDecay) {
  const Study s = study();
  std::map<std::string, std::set<std::string>> learners_of_class;
  for (const SharingGroup& group : sharing_groups(s)) {
    learners_of_class[group.cost_class].insert(s.settings[group.settings.front()].learner);
  }
  for (const auto& of_class : learners_of_class) EXPECT_EQ(of_class.second.size(), 1U) << of_class.first;
  const auto alone = sharing_groups(s, false);
  EXPECT_EQ(alone[6].cost_class, alone[7].cost_class) << "lstd with lambda 0 and 1";
}

TEST(WorkUnits, CoverEverySettingAndSeedOnce) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  for (const double seconds : {0.0, 0.05, 1.0, 1e9}) {
    expect_every_run_once(s, cut(s, groups, seconds));
  }
}

TEST(WorkUnits, BySeedCoverEverySettingAndSeedOnce) {
  const Study s = study();
  const auto units = units_by_seed(s);
  EXPECT_EQ(units.size(), 2U * 25) << "one for each case and seed";
  expect_every_run_once(s, units);
}

TEST(WorkUnits, OfOneSettingAreCutBySeeds) {
  Study one;
  one.cases = {{.domain = "boyan_chain"}};
  one.run.seeds = 10;
  one.add("td");
  const auto groups = sharing_groups(one);
  const auto with_unit_of = [&](double seconds) {
    return cut_into_units(one, groups, {{1.0}, 0.0}, seconds, nothing_is_done);
  };
  EXPECT_EQ(with_unit_of(0.1).size(), 10U) << "a seed is never cut";
  EXPECT_EQ(with_unit_of(20).size(), 1U);
  const auto units = with_unit_of(2.5);
  ASSERT_EQ(units.size(), 4U) << "ten seconds of work";
  std::uint64_t next = 0;
  for (const WorkUnit& work : units) {
    EXPECT_EQ(work.first_seed, next);
    EXPECT_DOUBLE_EQ(work.cost, static_cast<double>(work.seeds));
    next += work.seeds;
  }
  EXPECT_EQ(next, 10U);
}

TEST(WorkUnits, CoverExactlyWhatIsLeft) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    std::set<std::pair<std::size_t, std::uint64_t>> left;
    for (std::size_t setting = 0; setting < s.settings.size(); ++setting) {
      for (std::uint64_t block = 0; block < 3; ++block) {
        if (rng.uniform() < 0.3) left.emplace(setting, block);
      }
    }
    const auto is_done = [&](std::size_t setting, std::uint64_t block) { return !left.contains({setting, block}); };
    const WorkCost cost{std::vector<double>(groups.size(), 0.01), 0};
    for (const WorkUnit& work : cut_into_units(s, groups, cost, 0.5, is_done)) {
      const std::uint64_t block = work.first_seed / seeds_per_block;
      for (const std::size_t setting : work.settings) EXPECT_EQ(left.erase({setting, block}), 1U);
    }
    EXPECT_TRUE(left.empty());
  }
}

TEST(WorkUnits, KeepGroupsWholeAndBlocksInOrder) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  const auto units = cut(s, groups, 0.3);
  std::uint64_t block = 0;
  for (const WorkUnit& work : units) {
    EXPECT_GE(work.first_seed / seeds_per_block, block)
        << "all settings have their first seeds before any has its last";
    block = work.first_seed / seeds_per_block;
    const std::set<std::size_t> in_unit(work.settings.begin(), work.settings.end());
    for (const SharingGroup& group : groups) {
      std::size_t there = 0;
      for (const std::size_t i : group.settings) there += in_unit.count(i);
      EXPECT_TRUE(there == 0 || there == group.settings.size());
    }
  }
}

TEST(WorkUnits, AreAsLongAsAskedForAndKnowTheirCost) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  const auto units = cut(s, groups, 0.25);
  const auto long_ones = cut(s, groups, 1e9);
  EXPECT_EQ(long_ones.size(), 2U * 3) << "a unit has one case and one block";
  double total = 0;
  for (const WorkUnit& work : units) {
    const double seeds = work.first_seed / seeds_per_block == 2 ? 5 : 10;
    EXPECT_LE(work.cost, 0.25 + seeds * 0.01 + 1e-12) << "at most one group too long";
    total += work.cost;
  }
  const auto setups = static_cast<double>(units.size() / 3) * 25 * 0.001;
  EXPECT_NEAR(total, static_cast<double>(groups.size()) * 25 * 0.01 + setups, 0.02);
}

}  // namespace
}  // namespace bellwether
