#include <bellwether/core/files/patience.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

namespace bellwether {

namespace {

using namespace std::chrono_literals;

std::atomic<bool (*)()> asked_to_stop{nullptr};

/// One wait, made of short ones.
class Wait {
 public:
  enum class Next : std::uint8_t { ready, again, over };

  Next once(int file, short events) {
    constexpr int a_little = 50;  // milliseconds
    pollfd awaited{file, events, 0};
    const int count = poll(&awaited, 1, a_little);  // of no file (-1), it waits for nothing
    if (count > 0) return Next::ready;
    const bool interrupted = count < 0;
    if (interrupted && errno != EINTR) return Next::over;
    const auto asked = asked_to_stop.load();
    if (asked == nullptr) return interrupted ? Next::over : Next::again;
    if (!asked()) return Next::again;
    if (!until_) until_ = Clock::now() + 500ms;
    errno = EINTR;
    return Clock::now() < *until_ ? Next::again : Next::over;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> until_;  // when the program was asked to stop
};

bool is_pipe(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

}  // namespace

void stop_waiting_when(bool (*asked)()) { asked_to_stop = asked; }

Descriptor open_patiently(const std::string& path, int flags) {
  for (Wait wait;;) {
    Descriptor file(open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
    if (file.is_open()) return file;
    const int reason = errno;
    const bool nobody_reads = reason == ENXIO && is_pipe(path);
    errno = reason;
    if (!nobody_reads || wait.once(-1, 0) == Wait::Next::over) return file;
  }
}

bool wait_until_ready(int file, short events) {
  for (Wait wait;;) {
    const Wait::Next next = wait.once(file, events);
    if (next != Wait::Next::again) return next == Wait::Next::ready;
  }
}

}  // namespace bellwether
