#include <bellwether/core/support/memory.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

constexpr double small_request = 256e6;  // bytes
constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

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

/// The bytes of addresses of this process, and of those that are its own to write to.
std::pair<std::uint64_t, std::uint64_t> in_use() {
  std::ifstream in("/proc/self/statm");
  std::array<std::uint64_t, 6> pages{};  // of addresses, resident, shared, text, libraries, data
  for (std::uint64_t& number : pages) in >> number;
  const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {pages.front() * size, pages.back() * size};
}

std::uint64_t difference(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

std::uint64_t free_swap() {
  const std::uint64_t free = number_after("/proc/meminfo", "SwapFree:").value_or(0) * 1024;
  const auto limit = number_in_file("/sys/fs/cgroup/memory.swap.max");
  const auto used = number_in_file("/sys/fs/cgroup/memory.swap.current");
  return limit && used ? std::min(free, difference(*limit, *used)) : free;
}

}  // namespace

std::uint64_t free_memory() {
  std::uint64_t least = unknown;
  if (const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:")) least = *kilobytes * 1024;
  const auto limit = number_in_file("/sys/fs/cgroup/memory.max");  // "max" where there is none
  const auto used = number_in_file("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    const std::uint64_t cache = number_after("/sys/fs/cgroup/memory.stat", "file").value_or(0);  // given back on demand
    least = std::min(least, difference(*limit, difference(*used, cache)));
  }
  const auto [addresses, data] = in_use();
  for (const auto& [resource, used_of_it] : {std::pair{RLIMIT_AS, addresses}, std::pair{RLIMIT_DATA, data}}) {
    rlimit most{};
    if (getrlimit(resource, &most) != 0 || most.rlim_cur == RLIM_INFINITY) continue;
    least = std::min(least, difference(most.rlim_cur, used_of_it));
  }
  return least;
}

void limit_memory() {
  const std::uint64_t free = free_memory();
  rlimit most{};
  if (free == unknown || getrlimit(RLIMIT_DATA, &most) != 0) return;
  most.rlim_cur = std::min<rlim_t>(most.rlim_cur, in_use().second + free + free_swap());
  setrlimit(RLIMIT_DATA, &most);
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
