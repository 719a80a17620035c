#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <bellwether/study/study.h>

namespace bellwether {

/// Settings of one case that learn together (learners/sharing/ensembles.h: sharing_key), as indices into
/// Study::settings.
struct SharingGroup {
  std::size_t case_index = 0;
  std::string cost_class;  // groups of one class cost about the same for each setting
  std::vector<std::size_t> settings;
};

/// The groups of a study in the order of their first settings. Without sharing every setting is a group of its own.
std::vector<SharingGroup> sharing_groups(const Study& study, bool sharing = true);

/// What one thread computes at a time: settings of one case, for consecutive seeds of one block (results/store.h).
struct WorkUnit {
  std::size_t case_index = 0;
  std::uint64_t first_seed = 0;
  std::uint64_t seeds = 0;
  std::vector<std::size_t> settings;
  double cost = 0;  // expected seconds

  /// For writing and reading (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.case_index, self.first_seed, self.seeds, self.settings, self.cost);
  }
};

/// One unit for every case and seed, with all settings; the cost is the number of settings.
std::vector<WorkUnit> units_by_seed(const Study& study);

/// What the work of a study costs, in seconds.
struct WorkCost {
  std::vector<double> run;  // of one seed of each sharing group
  double setup = 0;         // of one seed of any unit: simulating its steps and preparing its measures
};

/// Whether a block of a setting need not be computed.
using IsDone = std::function<bool(std::size_t setting, std::uint64_t block)>;

/// Cuts what is left to do into units of about `seconds`, block by block, so that all settings have their first seeds
/// before any has its last. Sharing groups stay whole. Groups that are too short are joined; where one is too long, its
/// seeds are divided among several units.
std::vector<WorkUnit> cut_into_units(const Study& study, const std::vector<SharingGroup>& groups, const WorkCost& cost,
                                     double seconds, const IsDone& is_done);

}  // namespace bellwether
