#include <bellwether/core/support/thread_team.h>

#include <exception>
#include <utility>

namespace bellwether {

ThreadTeam::ThreadTeam(unsigned threads) {
  try {
    while (size() < threads) helpers_.emplace_back([this] { help(); });
  } catch (const std::exception&) {
    // The system provides no more threads, or no memory for them; the existing ones do the work.
  }
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  begin_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

ThreadTeam& ThreadTeam::alone() {
  static ThreadTeam team(1);
  return team;
}

void ThreadTeam::run(std::uint64_t count, const Work& work) {
  if (helpers_.empty() || count <= 1) {
    for (std::uint64_t i = 0; i < count; ++i) work(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
  }
  begin_.notify_all();
  take_turns();
  // Helpers that have not come by now are not waited for: on a busy machine that may take long.
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return helping_ == 0; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadTeam::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < count_); });
    if (stop_) return;
    ++helping_;
    lock.unlock();
    take_turns();
    lock.lock();
    if (--helping_ == 0) end_.notify_one();
  }
}

void ThreadTeam::take_turns() {
  try {
    for (std::uint64_t i = next_++; i < count_; i = next_++) (*work_)(i);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;
  }
}

}  // namespace bellwether
