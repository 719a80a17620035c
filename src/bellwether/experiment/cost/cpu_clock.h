#pragma once

#include <ctime>

namespace bellwether {

/// Seconds of processor time that this thread has used: the cost of work, whatever else the machine is doing.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace bellwether
