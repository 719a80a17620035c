#include <bellwether/core/support/memory.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace fs = std::filesystem;

namespace {

constexpr double small_request = 256e6;  // bytes
constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number_in_file(const fs::path& path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// The number after a word at the beginning of a line.
std::optional<std::uint64_t> number_after(const fs::path& path, std::string_view word) {
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

/// Names of what a control group says of its memory, in both versions. Cached files count as used and are given back on
/// demand. Without a limit there is a word or a huge number.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char* cached;  // a word in memory.stat
  const char* swap_limit;
  const char* swap_used;
};
constexpr GroupFiles of_version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache", "", ""};
constexpr GroupFiles of_version_2{"memory.max", "memory.current", "file", "memory.swap.max", "memory.swap.current"};

/// Calls `look(folder, files)` for the control groups of memory that this process is in, each with all groups around
/// it.
template <class Look>
void for_each_group(const fs::path& membership, const fs::path& mount, const Look& look) {
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) {  // 4:memory:/user/job or 0::/user/job
    const std::size_t names = line.find(':');
    const std::size_t path = names == std::string::npos ? names : line.find(':', names + 1);
    if (path == std::string::npos) continue;
    const std::string controllers = "," + line.substr(names + 1, path - names - 1) + ",";
    const bool second = controllers == ",,";
    if (!second && controllers.find(",memory,") == std::string::npos) continue;
    const fs::path root = second ? mount : mount / "memory";
    fs::path group = line.substr(path + 1);
    for (; group.has_relative_path(); group = group.parent_path()) {
      look(root / group.relative_path(), second ? of_version_2 : of_version_1);
    }
    look(root, second ? of_version_2 : of_version_1);
  }
}

constexpr const char* groups_of_this_process = "/proc/self/cgroup";
constexpr const char* groups = "/sys/fs/cgroup";

std::uint64_t free_swap() {
  std::uint64_t least = number_after("/proc/meminfo", "SwapFree:").value_or(0) * 1024;
  for_each_group(groups_of_this_process, groups, [&](const fs::path& group, const GroupFiles& files) {
    if (*files.swap_limit == '\0') return;
    const auto limit = number_in_file(group / files.swap_limit);
    const auto used = number_in_file(group / files.swap_used);
    if (limit && used) least = std::min(least, difference(*limit, *used));
  });
  return least;
}

}  // namespace

std::uint64_t free_in_groups(const fs::path& membership, const fs::path& mount) {
  std::uint64_t least = unknown;
  for_each_group(membership, mount, [&](const fs::path& group, const GroupFiles& files) {
    const auto limit = number_in_file(group / files.limit);
    const auto used = number_in_file(group / files.used);
    if (!limit || !used) return;
    const std::uint64_t cached = number_after(group / "memory.stat", files.cached).value_or(0);
    least = std::min(least, difference(*limit, difference(*used, cached)));
  });
  return least;
}

std::uint64_t free_memory() {
  std::uint64_t least = unknown;
  if (const auto kilobytes = number_after("/proc/meminfo", "MemAvailable:")) least = *kilobytes * 1024;
  least = std::min(least, free_in_groups(groups_of_this_process, groups));
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
