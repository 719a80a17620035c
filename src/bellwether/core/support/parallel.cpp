#include <bellwether/core/support/parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bellwether {

void parallel_for(std::uint64_t count, unsigned jobs, const std::function<void(std::uint64_t)>& work,
                  const Progress& progress) {
  std::atomic<std::uint64_t> next{0};
  std::uint64_t done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto take_turns = [&] {
    try {
      for (std::uint64_t i = next++; i < count; i = next++) {
        work(i);
        const std::lock_guard lock(mutex);
        ++done;
        if (progress) progress(static_cast<double>(done) / static_cast<double>(count));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min<std::uint64_t>(jobs, count)) helpers.emplace_back(take_turns);
    } catch (const std::system_error&) {
      // The system provides no more threads; the existing ones do the work.
    }
    take_turns();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bellwether
