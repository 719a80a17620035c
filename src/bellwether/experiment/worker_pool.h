#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include <bellwether/experiment/sweep.h>

namespace bellwether {

/// Threads that do units. The one that made the pool hands out units and collects results; it alone speaks to the store
/// and to other processes.
class WorkerPool {
 public:
  /// A unit that was done, or that failed: its error is thrown by `collect`.
  struct Done {
    WorkUnit work;
    WorkResult result;
  };

  WorkerPool(unsigned jobs, std::function<WorkResult(const WorkUnit&)> work) : work_(std::move(work)) {
    for (unsigned i = 0; i < jobs; ++i) threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  }

  /// Waits for the units in progress, which should be told to give up if they are not wanted.
  ~WorkerPool() {
    for (auto& thread : threads_) thread.request_stop();
    wake_.notify_all();
  }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void submit(WorkUnit work) {
    {
      const std::lock_guard lock(mutex_);
      todo_.push_back(std::move(work));
    }
    wake_.notify_one();
  }

  /// What was done since the last call, waiting for it at most so long.
  std::vector<Done> collect(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    done_something_.wait_for(lock, patience, [this] { return !done_.empty() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(done_, {});
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !todo_.empty(); })) {
      if (stop.stop_requested()) return;
      WorkUnit work = std::move(todo_.front());
      todo_.pop_front();
      lock.unlock();
      WorkResult result;
      std::exception_ptr failure;
      try {
        result = work_(work);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) {
        if (!failure_) failure_ = failure;
      } else {
        done_.push_back({std::move(work), std::move(result)});
      }
      done_something_.notify_one();
    }
  }

  std::function<WorkResult(const WorkUnit&)> work_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_something_;
  std::deque<WorkUnit> todo_;
  std::vector<Done> done_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

}  // namespace bellwether
