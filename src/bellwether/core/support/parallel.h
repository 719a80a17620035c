#pragma once

#include <cstdint>
#include <functional>

namespace bellwether {

/// Called from time to time, by one thread at a time, with the share of the work that is done.
using Progress = std::function<void(double share)>;

/// Calls work(0), ..., work(count - 1), in any order, on up to `jobs` threads including the caller's. The first
/// exception stops the work and is rethrown.
void parallel_for(std::uint64_t count, unsigned jobs, const std::function<void(std::uint64_t)>& work,
                  const Progress& progress = {});

}  // namespace bellwether
