#include "terminal/output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <bellwether/core/error.h>

#include "terminal/visible.h"

namespace bellwether::cli {

namespace {

int first_failure = 0;  // of standard output, as in errno

/// True when standard output took everything so far.
bool put(std::string_view text) {
  if (first_failure != 0) return false;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) first_failure = errno != 0 ? errno : EIO;
  return first_failure == 0;
}

bool flush_standard_output() {
  if (first_failure != 0) return false;
  errno = 0;
  if (std::fflush(stdout) != 0) first_failure = errno != 0 ? errno : EIO;
  return first_failure == 0;
}

std::string failure_text() { return fmt::format("cannot write standard output: {}", std::strerror(first_failure)); }

[[noreturn]] void stop() {
  if (first_failure == EPIPE) throw NobodyReads();
  throw IoError(failure_text());
}

}  // namespace

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_.emplace(path);
}

void Output::write(const std::string& text) {
  static const bool on_terminal = isatty(STDOUT_FILENO) != 0;
  if (file_) file_->write(text);
  else if (!put(on_terminal ? visible(text) : text)) stop();
}

void Output::finish() {
  if (file_) file_->commit();
  else if (!flush_standard_output()) stop();
}

void print(std::string_view text) {
  if (put(visible(text))) flush_standard_output();
}

void tell(std::string_view text) { tell_terminal(visible(text)); }

void tell_terminal(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // there is nobody left to tell
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::optional<std::string> standard_output_failure() {
  if (flush_standard_output() || first_failure == EPIPE) return std::nullopt;
  return failure_text();
}

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free is this one. Opened the wrong way round, it fails like a closed one.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

}  // namespace bellwether::cli
