#include <bellwether/data/bytes/read_ahead.h>

#include <algorithm>

namespace bellwether {

ReadAhead::ReadAhead(Make make) : make_(std::move(make)), thread_([this] { run(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ReadAhead::run() {
  for (std::size_t next = 0;; next = (next + 1) % most_parts) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || ready_ < most_parts; });
      if (stopping_) return;
    }
    Part& part = parts_[next];
    std::exception_ptr failure;
    try {
      part.made = make_(part.bytes.data());
    } catch (...) {
      part.made.size = 0;
      failure = std::current_exception();
    }
    const bool last = part.made.size == 0;
    {
      const std::lock_guard lock(mutex_);
      failure_ = failure;
      ++ready_;
    }
    changed_.notify_all();
    if (last) return;
  }
}

std::size_t ReadAhead::read(char* to, std::size_t size) {
  {
    std::unique_lock lock(mutex_);
    if (ready_ > 0 && parts_[first_].made.size > 0 && begin_ == parts_[first_].made.size) {
      --ready_;
      first_ = (first_ + 1) % most_parts;
      begin_ = 0;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return ready_ > 0; });
    if (parts_[first_].made.size == 0 && failure_) std::rethrow_exception(failure_);
  }
  const Part& part = parts_[first_];
  position_ = part.made.position;
  const std::size_t count = std::min(size, part.made.size - begin_);
  std::copy_n(part.bytes.begin() + static_cast<std::ptrdiff_t>(begin_), count, to);
  begin_ += count;
  return count;
}

}  // namespace bellwether
