#include <bellwether/core/support/file_lock.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/output_file.h>

namespace bellwether {

namespace {

constexpr std::string_view signature = "process ";

/// What the holder wrote; nothing when it has not yet said who it is.
std::string content_of_lock(int file) {
  std::array<char, 512> text{};
  const ssize_t length = pread(file, text.data(), text.size(), 0);
  return {text.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

void sign(int file) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string who = fmt::format("{}{} on {}", signature, getpid(), host.data());
  // Who holds the lock is said for people only: a disk that has no room for it does not matter.
  if (ftruncate(file, 0) == 0 && pwrite(file, who.data(), who.size(), 0) < 0) return;
}

[[noreturn]] void in_the_way(const std::string& lock_file) {
  throw IoError(fmt::format("{} is not a lock file, and is in the way of one: move it elsewhere", lock_file));
}

[[noreturn]] void cannot_lock(const std::string& lock_file, int reason) {
  throw IoError(fmt::format("cannot write {}: {}", lock_file, std::strerror(reason)));
}

}  // namespace

FileLock::FileLock(const std::string& file, std::string_view taken) : lock_file_(without_links(file) + ".lock") {
  while (!try_to_hold(file, taken)) {
  }
  sign(*held_);
}

bool FileLock::try_to_hold(const std::string& file, std::string_view taken) {
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  held_ = Descriptor(open(lock_file_.c_str(), flags, 0666));
  if (!held_.is_open() && (errno == ELOOP || errno == EISDIR || errno == ENXIO)) in_the_way(lock_file_);
  if (!held_.is_open()) {
    const int reason = errno;
    if (reason == ENOENT) require_folder(file);
    cannot_lock(lock_file_, reason);
  }
  struct stat held {};
  if (fstat(*held_, &held) != 0) cannot_lock(lock_file_, errno);
  if (!S_ISREG(held.st_mode) || held.st_nlink > 1) in_the_way(lock_file_);
  const bool locked = flock(*held_, LOCK_EX | LOCK_NB) == 0;
  const int reason = errno;
  const std::string holder = content_of_lock(*held_);
  if (!holder.empty() && !holder.starts_with(signature)) in_the_way(lock_file_);
  if (!locked && reason == EINTR) return false;
  if (!locked && reason != EWOULDBLOCK) cannot_lock(lock_file_, reason);
  if (!locked) throw IoError(fmt::format("{} {}{}", file, taken, holder.empty() ? "" : fmt::format(" ({})", holder)));
  // The holder before us may have removed the file between our opening and our locking it; a lock on a file that does
  // not have this name any more keeps nobody out.
  struct stat named {};
  return lstat(lock_file_.c_str(), &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev;
}

FileLock::~FileLock() {
  unlink(lock_file_.c_str());  // while it is still locked, so that it is ours that goes
}

}  // namespace bellwether
