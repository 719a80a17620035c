#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bellwether {

/// Threads that stay together for many short pieces of work, one after another: the caller's and helpers that wait in
/// between. To wake them takes some microseconds, a tenth of what starting them would.
///
///     ThreadTeam team(allowed_threads());
///     for (int i = 0; i < 100; ++i) team.run(8, [&](std::uint64_t part) { multiply(part); });
class ThreadTeam {
 public:
  using Work = std::function<void(std::uint64_t)>;

  /// Up to `threads`, fewer if the system has no more to give.
  explicit ThreadTeam(unsigned threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// The caller's thread alone. It may be used from several threads at once, unlike all others.
  static ThreadTeam& alone();

  unsigned size() const { return static_cast<unsigned>(helpers_.size()) + 1; }

  /// Calls work(0), ..., work(count - 1), in any order, and returns when all are done. The first exception keeps new
  /// calls from beginning and is rethrown once the running ones have ended.
  void run(std::uint64_t count, const Work& work);

  /// Calls use(first, last) for ranges of `length` that together are 0 .. n-1.
  template <class Use>
  void run_ranges(std::size_t n, std::size_t length, const Use& use) {
    run((n + length - 1) / length, [&](std::uint64_t i) {
      const std::size_t first = static_cast<std::size_t>(i) * length;
      use(first, n - first < length ? n : first + length);
    });
  }

 private:
  void help();
  void take_turns();

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const Work* work_ = nullptr;  // null between runs
  std::uint64_t count_ = 0;
  std::atomic<std::uint64_t> next_{0};
  unsigned helping_ = 0;  // helpers that take turns
  bool stop_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> helpers_;
};

}  // namespace bellwether
