#include <bellwether/core/support/parallel.h>

#include <algorithm>
#include <mutex>

#include <bellwether/core/support/thread_limit.h>
#include <bellwether/core/support/thread_team.h>

namespace bellwether {

void parallel_for(std::uint64_t count, unsigned jobs, const std::function<void(std::uint64_t)>& work,
                  const Progress& progress) {
  const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(count, 1, std::max(1U, jobs)));
  ThreadTeam team(threads);
  std::uint64_t done = 0;
  std::mutex mutex;
  team.run(count, [&](std::uint64_t i) {
    const ThreadLimit each(jobs / threads);
    work(i);
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
  });
}

}  // namespace bellwether
