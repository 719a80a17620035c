#pragma once

#include <functional>
#include <span>

#include <bellwether/core/support/parallel.h>
#include <bellwether/experiment/work.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

/// Takes the result of a unit: into memory (comparison.h) or a file of results (sweep.h). Called in the thread that
/// runs the study. Units come in any order.
using TakeResult = std::function<void(const WorkUnit& work, UnitResult result)>;

/// Executes units on all workers and hands their results to `take`. This is the loop behind `run`, `demo` and
/// `sweep`: dispatch/dispatch.h is who executes units, `take` is where results go, and `progress` is told the share
/// of the cost that is done.
///
/// Throws Interrupted when stopped, and what a unit, `take` or `progress` throws; units in progress are then given
/// up.
void run_units(const PreparedStudy& study, std::span<const WorkUnit> units, const WorkOptions& options,
               const Workers& workers, const TakeResult& take, const Progress& progress = {});

/// What the processes of rank > 0 call while rank 0 runs the same study.
void serve_units(const PreparedStudy& study, const WorkOptions& options, const Workers& workers);

}  // namespace bellwether
