#include <bellwether/core/files/line_pipe.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

LinePipe::LinePipe(std::string path, std::chrono::milliseconds patience) : path_(std::move(path)), patience_(patience) {
  open();
}

void LinePipe::fail() const { throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno))); }

/// False while nobody reads the pipe.
bool LinePipe::open() {
  file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC));
  if (file_.is_open()) return true;
  const int reason = errno;
  struct stat status {};
  if (reason == ENXIO && stat(path_.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return false;
  errno = reason;
  fail();
}

void LinePipe::add(std::string_view lines) {
  if (waiting_.empty()) taken_ = Clock::now();
  waiting_ += lines;
}

/// Whether the reader took something.
bool LinePipe::write_some() {
  if (!file_.is_open() && !open()) return false;
  const ssize_t count = write(*file_, waiting_.data(), waiting_.size());
  if (count < 0 && errno != EAGAIN && errno != EINTR) fail();
  if (count <= 0) return false;
  within_line_ = waiting_[static_cast<std::size_t>(count) - 1] != '\n';
  waiting_.erase(0, static_cast<std::size_t>(count));
  return true;
}

bool LinePipe::deliver(std::chrono::milliseconds wait) {
  constexpr std::chrono::milliseconds a_little(50);
  const auto end = Clock::now() + wait;
  while (!waiting_.empty()) {
    bool taken = false;
    try {
      taken = write_some();
    } catch (const IoError&) {
      abandon();  // also the rest of a line: the next reader, if there is one, has not seen its beginning
      throw;
    }
    const auto now = Clock::now();
    if (taken) {
      taken_ = now;
      stuck_ = false;
      continue;
    }
    stuck_ = stuck_ || now - taken_ >= patience_;
    if (stuck_) {
      keep_only(within_line_ ? waiting_.find('\n') + 1 : 0);
      throw IoError(fmt::format("cannot write {}: nobody has read it for {} s", path_,
                                std::chrono::duration<double>(patience_).count()));
    }
    if (now >= end) return false;
    // A pipe that is not open yet is waited for without being asked.
    pollfd awaited{*file_, POLLOUT, 0};
    poll(&awaited, 1, static_cast<int>(std::min(a_little, wait).count()));
  }
  return true;
}

void LinePipe::keep_only(std::size_t bytes) {
  given_up_ += static_cast<std::uint64_t>(
      std::count(waiting_.begin() + static_cast<std::ptrdiff_t>(bytes), waiting_.end(), '\n'));
  waiting_.resize(bytes);
}

void LinePipe::abandon() {
  keep_only(0);
  within_line_ = false;
}

}  // namespace bellwether
