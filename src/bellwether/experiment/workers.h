#pragma once

#include <functional>
#include <stdexcept>

namespace bellwether {

class Ranks;  // core/support/ranks.h

/// Who computes. Nothing of this changes a result, except for measured times.
///
///     std::atomic<bool> enough = false;  // another thread, or a signal handler, sets it
///     compare(prepared, {.jobs = std::thread::hardware_concurrency(), .stopped = [&] { return enough.load(); }});
struct Workers {
  unsigned jobs = 1;                   // threads, of each process if there are several
  std::function<bool()> stopped = {};  // asked often, from several threads; true: give up what is in progress
  Ranks* ranks = nullptr;              // the processes that work together (core/support/ranks.h); none: this one alone
};

/// Thrown out of work that was asked to stop. It is no error: what was finished before is kept where results go to a
/// file, and lost where they were in memory. The command line turns it into exit code 130.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Throws Interrupted when `stopped` says so; an empty function never does.
inline void check_stopped(const std::function<bool()>& stopped) {
  if (stopped && stopped()) throw Interrupted();
}

}  // namespace bellwether
