#pragma once

#include <functional>
#include <stdexcept>

namespace bellwether {

class Ranks;

/// Who computes. Nothing of this changes a result.
struct Workers {
  unsigned jobs = 1;                   // threads, of each process if there are several
  std::function<bool()> stopped = {};  // asked often, from several threads; true: give up what is in progress
  Ranks* ranks = nullptr;              // the processes that work together (core/support/ranks.h); none: this one alone
};

/// Thrown out of work that was asked to stop.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Throws Interrupted when `stopped` says so; an empty function never does.
inline void check_stopped(const std::function<bool()>& stopped) {
  if (stopped && stopped()) throw Interrupted();
}

}  // namespace bellwether
