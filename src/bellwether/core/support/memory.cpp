#include <bellwether/core/support/memory.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

constexpr double small_request = 256e6;  // bytes

std::optional<std::uint64_t> number_in_file(const char* path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// The number after a word at the beginning of a line.
std::optional<std::uint64_t> number_after(const char* path, std::string_view word) {
  std::ifstream in(path);
  for (std::string first, rest; in >> first; std::getline(in, rest)) {
    std::uint64_t number = 0;
    if (first == word && in >> number) return number;
  }
  return std::nullopt;
}

std::uint64_t difference(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

}  // namespace

std::uint64_t free_memory() {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  if (const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:")) least = *kilobytes * 1024;
  const auto limit = number_in_file("/sys/fs/cgroup/memory.max");  // "max" where there is none
  const auto used = number_in_file("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    const std::uint64_t cache = number_after("/sys/fs/cgroup/memory.stat", "file").value_or(0);  // given back on demand
    least = std::min(least, difference(*limit, difference(*used, cache)));
  }
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    const std::uint64_t pages = number_in_file("/proc/self/statm").value_or(0);
    least = std::min(least, difference(addresses.rlim_cur, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))));
  }
  return least;
}

void require_memory(double bytes, std::string_view what, std::string_view advice) {
  if (bytes < small_request) return;
  const auto there = static_cast<double>(free_memory());
  if (bytes <= there) return;
  throw InvalidArgument(
      fmt::format("{} needs {}; {} are free: {}", what, bytes_text(bytes), bytes_text(there), advice));
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit > 0 && bytes < 9.95 ? 1 : 0, units[unit]);
}

}  // namespace bellwether
