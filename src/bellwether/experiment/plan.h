#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/results/store.h>
#include <bellwether/study/study.h>

namespace bellwether {

/// Settings of one case that learn together (learners/sharing/ensembles.h: sharing_key), by their places in
/// Study::settings.
struct SharingGroup {
  std::size_t place = 0;   // of the case
  std::string cost_class;  // groups of one class cost about the same for each setting
  std::vector<std::size_t> settings;
};

/// The groups of a study in the order of their first settings; each setting is alone when nothing is to be shared.
std::vector<SharingGroup> sharing_groups(const Study& study, bool sharing = true);

/// A piece of work, which is done and stored as a whole: settings of one case, for the seeds of one block.
struct WorkUnit {
  std::size_t place = 0;
  std::uint64_t block = 0;
  std::vector<std::size_t> settings;
  double cost = 0;  // expected seconds
};

/// Cuts what is left to do into units of about `seconds`, block by block, so that all settings have their first seeds
/// before any has its last. `cost[g]` is what a run of group g is expected to take in seconds, and `setup` what any
/// unit takes for each seed. `is_done(setting, block)` says what need not be done again.
template <class IsDone>
std::vector<WorkUnit> cut_into_units(const Study& study, const std::vector<SharingGroup>& groups,
                                     const std::vector<double>& cost, double setup, double seconds, IsDone&& is_done) {
  std::vector<WorkUnit> units;
  const std::uint64_t blocks = (study.seeds() + seeds_per_block - 1) / seeds_per_block;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const auto seeds = static_cast<double>(std::min(seeds_per_block, study.seeds() - block * seeds_per_block));
    bool open = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::vector<std::size_t> left;
      for (const std::size_t setting : groups[g].settings) {
        if (!is_done(setting, block)) left.push_back(setting);
      }
      if (left.empty()) continue;
      open = open && units.back().place == groups[g].place && units.back().cost < seconds;
      if (!open) units.push_back({groups[g].place, block, {}, seeds * setup});
      open = true;
      units.back().settings.insert(units.back().settings.end(), left.begin(), left.end());
      units.back().cost += seeds * cost[g];
    }
  }
  return units;
}

}  // namespace bellwether
