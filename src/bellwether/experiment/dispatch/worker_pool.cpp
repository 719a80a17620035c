#include <bellwether/experiment/dispatch/worker_pool.h>

#include <system_error>
#include <utility>

#include <bellwether/core/support/thread_limit.h>

namespace bellwether {

WorkerPool::WorkerPool(unsigned jobs, Execute execute) : execute_(std::move(execute)) {
  try {
    for (unsigned i = 0; i < jobs; ++i) threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {  // the system allows no more threads: fewer do the same
    if (threads_.empty()) throw;
  }
}

WorkerPool::~WorkerPool() {
  for (auto& thread : threads_) thread.request_stop();
  wake_.notify_all();
}

void WorkerPool::submit(WorkUnit work) {
  ++in_progress_;
  {
    const std::lock_guard lock(mutex_);
    todo_.push_back(std::move(work));
  }
  wake_.notify_one();
}

std::vector<Dispatch::Done> WorkerPool::collect(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  finished_.wait_for(lock, patience, [this] { return !done_.empty() || failure_; });
  if (failure_) std::rethrow_exception(failure_);
  in_progress_ -= done_.size();
  return std::exchange(done_, {});
}

void WorkerPool::run(const std::stop_token& stop) {
  const ThreadLimit alone(1);
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return !todo_.empty(); })) {
    if (stop.stop_requested()) return;
    Done done{std::move(todo_.front()), {}};
    todo_.pop_front();
    lock.unlock();
    std::exception_ptr failure;
    try {
      done.result = execute_(done.work, stop);
      lock.lock();
      done_.push_back(std::move(done));
    } catch (...) {
      failure = std::current_exception();
    }
    if (!lock.owns_lock()) lock.lock();
    if (failure && !failure_) failure_ = failure;
    finished_.notify_one();
  }
}

}  // namespace bellwether
