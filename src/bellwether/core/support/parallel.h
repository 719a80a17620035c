#pragma once

#include <cstdint>
#include <functional>

namespace bellwether {

/// Called from time to time, by one thread at a time, with the share of the work that is done, from 0 to 1. The thread
/// need not be the one that started the work. An exception that it throws ends the work, as if the work had thrown it:
/// this is how a program gives up.
using Progress = std::function<void(double share)>;

/// Calls work(0), ..., work(count - 1), in any order, on up to `jobs` threads including the caller's, and returns when
/// all are done. The first exception keeps new calls from beginning and is rethrown once the running ones have ended.
/// With a result for each i in a place of its own, the outcome does not depend on the number of threads:
///
///     std::vector<double> value(100);
///     parallel_for(value.size(), std::thread::hardware_concurrency(), [&](std::uint64_t run) {
///       Rng rng(/*seed=*/1, run);
///       value[run] = rng.normal();
///     });
///
/// Each call may use its share of `jobs` for computations of its own (thread_limit.h). If the system has no more
/// threads to give, fewer do the work.
void parallel_for(std::uint64_t count, unsigned jobs, const std::function<void(std::uint64_t)>& work,
                  const Progress& progress = {});

}  // namespace bellwether
