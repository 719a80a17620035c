#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <bellwether/experiment/plan.h>
#include <bellwether/experiment/prepared_study.h>
#include <bellwether/experiment/seed_run.h>

namespace bellwether {

/// The result of a work unit.
struct UnitResult {
  std::vector<std::vector<Trial>> trials;  // [setting of the unit][seed of the unit]
  std::vector<double> seconds_alone;       // per step of one learner alone, of each setting; empty: not measured

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.trials, self.seconds_alone);
  }
};

/// How the units of a study are executed. Nothing of this changes a result.
struct WorkOptions {
  bool sharing = true;      // settings that can learn together do
  bool time_alone = false;  // units with seed 0 also measure what one learner of each setting takes alone

  /// Told how many steps of learners were just made, from any thread; may throw to give up.
  std::function<void(std::uint64_t steps)> learned = {};
};

/// Executes a unit. A function of the study and the unit, but for times.
UnitResult execute(const PreparedStudy& study, const WorkUnit& work, const WorkOptions& options = {});

/// One seed of one setting, by itself. Throws InvalidArgument when the study does not have it.
Trial run_one(const PreparedStudy& study, std::size_t setting, std::uint64_t seed, const SeedRun::Tick& tick = {});

}  // namespace bellwether
