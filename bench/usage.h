#pragma once

#include <ctime>
#include <fstream>
#include <string>

/// What a process has used so far.
namespace bellwether::bench {

/// Processor time of all threads; other work on the machine disturbs it less than the clock.
inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A line of /proc/self/status in megabytes: VmRSS is the memory in use, VmHWM its peak.
inline double status_megabytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == key + ":") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes / 1024;
    }
  }
  return 0;
}

}  // namespace bellwether::bench
