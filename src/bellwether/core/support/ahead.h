#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace bellwether {

/// Items that a thread of its own makes, in order, while the caller works on those before them. The thread waits when
/// it is `most` items ahead. Items are used again, so that their memory is kept.
///
///     Ahead<TableBlock> blocks(4, [&](TableBlock& block) { return table->read(block, 8192); });
///     while (blocks.next().rows > 0) ...
template <class Item>
class Ahead {
 public:
  /// Replaces an item by the next one and returns false if it is the last. What it throws, `next` throws after the
  /// items before it. Only the thread calls it, until the destructor ends the thread.
  using Make = std::function<bool(Item&)>;

  /// Throws std::system_error when the system has no more threads to give.
  Ahead(std::size_t most, Make make) : make_(std::move(make)), items_(most), thread_([this] { run(); }) {}

  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  /// Waits for the next item, which belongs to the caller until the next call. After the last item, that one again.
  Item& next() {
    std::unique_lock lock(mutex_);
    if (taken_ && !(finished_ && ready_ == 1)) {
      --ready_;
      first_ = (first_ + 1) % items_.size();
      taken_ = false;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return ready_ > 0; });
    if (finished_ && ready_ == 1 && failure_) std::rethrow_exception(failure_);
    taken_ = true;
    return items_[first_];
  }

 private:
  void run() {
    for (std::size_t next = 0, more = 1; more != 0; next = (next + 1) % items_.size()) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || ready_ < items_.size(); });
        if (stopping_) return;
      }
      std::exception_ptr failure;
      try {
        more = make_(items_[next]) ? 1 : 0;
      } catch (...) {
        failure = std::current_exception();
        more = 0;
      }
      {
        const std::lock_guard lock(mutex_);
        ++ready_;
        finished_ = more == 0;
        failure_ = failure;
      }
      changed_.notify_all();
    }
  }

  Make make_;
  std::vector<Item> items_;  // a ring

  std::mutex mutex_;  // guards what follows; an item belongs to the caller while it is among the ready ones
  std::condition_variable changed_;
  std::size_t first_ = 0;       // the oldest item that is ready
  std::size_t ready_ = 0;       // how many are, from that one on
  bool taken_ = false;          // the oldest has been returned by `next`
  bool finished_ = false;       // the last item is among the ready ones
  bool stopping_ = false;       // the destructor waits for the thread
  std::exception_ptr failure_;  // in place of the last item
  std::thread thread_;          // the last member, since it uses the others
};

}  // namespace bellwether
