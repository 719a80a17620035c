#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/experiment/plan.h>
#include <bellwether/experiment/prepared_study.h>

/// What the runs of a study cost, found by trying a little of every kind of work.
namespace bellwether {

/// The cost of the work, and the memory it takes.
struct CostSample {
  WorkCost cost;
  double bytes = 0;  // of the largest ensemble
};

/// Executes each kind of work for about `seconds_each`, and all together not much longer than 20 seconds; kinds for
/// which that leaves no time cost as much as the others on average. Throws Interrupted when stopped.
CostSample sample_cost(const PreparedStudy& study, const std::vector<SharingGroup>& groups, bool sharing,
                       double seconds_each, const std::function<bool()>& stopped = {});

/// The memory that one learner of each setting allocates, where the C library tells (heap.h).
std::vector<std::optional<std::uint64_t>> learner_bytes(const PreparedStudy& study,
                                                        const std::vector<SharingGroup>& groups,
                                                        const std::function<bool()>& stopped = {});

/// What running a study takes.
struct StudyEstimate {
  std::uint64_t settings = 0;
  std::uint64_t groups = 0;  // of settings that share their work
  std::uint64_t runs = 0;
  double steps = 0;                        // of all these runs
  double core_seconds = 0;                 // for all runs; divided by the number of jobs, the time
  double longest = 0;                      // seconds of the longest piece of work, which one thread does
  double bytes = 0;                        // of memory, for each job
  std::map<std::string, double> of_label;  // core_seconds, by the label of the learner
};

/// Estimates it from samples, each of about `seconds_each`.
StudyEstimate estimate(const PreparedStudy& study, bool sharing, double seconds_each,
                       const std::function<bool()>& stopped = {});

}  // namespace bellwether
