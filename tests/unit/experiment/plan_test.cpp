#include <bellwether/experiment/plan.h>

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/rng.h>
#include <bellwether/learners/sharing/ensembles.h>

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
  return cut_into_units(study, groups, std::vector<double>(groups.size(), 0.01), 0.001, seconds, nothing_is_done);
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
      EXPECT_EQ(s.settings[i].place, group.place);
      of_group.insert(sharing_key(s.settings[i].learner, s.settings[i].parameters));
    }
    EXPECT_EQ(of_group.size(), 1U);
    EXPECT_TRUE(keys.emplace(group.place, *of_group.begin()).second) << "no two groups could be one";
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

TEST(WorkUnits, CoverEverySettingAndBlockOnce) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  for (const double seconds : {0.0, 0.05, 1.0, 1e9}) {
    std::map<std::pair<std::size_t, std::uint64_t>, int> times;
    for (const WorkUnit& unit : cut(s, groups, seconds)) {
      EXPECT_FALSE(unit.settings.empty());
      for (const std::size_t i : unit.settings) {
        EXPECT_EQ(s.settings[i].place, unit.place);
        ++times[{i, unit.block}];
      }
    }
    EXPECT_EQ(times.size(), s.settings.size() * 3);
    for (const auto& one : times) EXPECT_EQ(one.second, 1);
  }
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
    const std::vector<double> cost(groups.size(), 0.01);
    for (const WorkUnit& unit : cut_into_units(s, groups, cost, 0, 0.5, is_done)) {
      for (const std::size_t setting : unit.settings) EXPECT_EQ(left.erase({setting, unit.block}), 1U);
    }
    EXPECT_TRUE(left.empty());
  }
}

TEST(WorkUnits, KeepGroupsWholeAndBlocksInOrder) {
  const Study s = study();
  const auto groups = sharing_groups(s);
  const auto units = cut(s, groups, 0.3);
  std::uint64_t block = 0;
  for (const WorkUnit& unit : units) {
    EXPECT_GE(unit.block, block) << "all settings have their first seeds before any has its last";
    block = unit.block;
    const std::set<std::size_t> in_unit(unit.settings.begin(), unit.settings.end());
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
  for (const WorkUnit& unit : units) {
    const double seeds = unit.block == 2 ? 5 : 10;
    EXPECT_LE(unit.cost, 0.25 + seeds * 0.01 + 1e-12) << "at most one group too long";
    total += unit.cost;
  }
  const auto setups = static_cast<double>(units.size() / 3) * 25 * 0.001;
  EXPECT_NEAR(total, static_cast<double>(groups.size()) * 25 * 0.01 + setups, 0.02);
}

}  // namespace
}  // namespace bellwether
