#pragma once

#include <span>

#include <bellwether/core/support/parallel.h>
#include <bellwether/experiment/work.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

/// Where the trials of a study go: into memory (comparison.h) or a file of results (sweep.h). Called from the thread
/// that runs the study.
class TrialSink {
 public:
  virtual ~TrialSink() = default;

  /// Takes the result of a unit. Units come in any order.
  virtual void take(const WorkUnit& work, UnitResult result) = 0;

 protected:
  TrialSink() = default;
  TrialSink(const TrialSink&) = default;
  TrialSink& operator=(const TrialSink&) = default;
};

/// Executes units on all workers and hands their results to the sink. This is the loop behind `run`, `demo` and
/// `sweep`: dispatch/dispatch.h is who executes units, the sink is where results go, and `progress` is told the share
/// of the cost that is done.
///
/// Throws Interrupted when stopped, and what a unit, the sink or `progress` throws; units in progress are then given
/// up.
void run_units(const PreparedStudy& study, std::span<const WorkUnit> units, const WorkOptions& options,
               const Workers& workers, TrialSink& sink, const Progress& progress = {});

/// What the processes of rank > 0 call while rank 0 runs the same study.
void serve_units(const PreparedStudy& study, const WorkOptions& options, const Workers& workers);

}  // namespace bellwether
