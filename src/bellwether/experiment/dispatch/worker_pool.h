#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include <bellwether/experiment/dispatch/dispatch.h>

namespace bellwether {

/// A pool of threads that execute work units.
class WorkerPool final : public Dispatch {
 public:
  /// `execute` should give up, by throwing, when the stop token says that its result is no longer wanted.
  using Execute = std::function<UnitResult(const WorkUnit&, const std::stop_token&)>;

  WorkerPool(unsigned jobs, Execute execute);

  /// Stops the units in progress and waits for them.
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool idle() const override { return in_progress_ < threads_.size(); }
  void submit(WorkUnit work) override;
  std::vector<Done> collect(std::chrono::milliseconds patience) override;
  bool dismissed() override { return true; }

 private:
  void run(const std::stop_token& stop);

  Execute execute_;
  std::size_t in_progress_ = 0;  // submitted and not collected
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable finished_;
  std::deque<WorkUnit> todo_;
  std::vector<Done> done_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

}  // namespace bellwether
