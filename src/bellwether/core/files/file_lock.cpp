#include <bellwether/core/files/file_lock.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/output_file.h>

namespace bellwether {

namespace {

constexpr std::string_view signature = "process ";

constexpr std::size_t longest = 512;

/// What the holder wrote; nothing when it has not yet said who it is. After a power failure, some file systems have the
/// length of what it wrote but zeros in its place.
std::string content_of_lock(int file, off_t size) {
  std::array<char, longest> text{};
  const ssize_t length = pread(file, text.data(), text.size(), 0);
  std::string content(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const bool zeros = content.find_first_not_of('\0') == std::string::npos;
  if (zeros && size <= static_cast<off_t>(longest)) content.clear();
  return content;
}

bool is_named(const struct stat& held, const std::string& name) {
  struct stat named {};
  return lstat(name.c_str(), &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev;
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

FileLock::FileLock(const std::string& file, std::string_view taken)
    : file_(file), taken_(taken), lock_file_(without_links(file) + ".lock") {
  hold();
}

void FileLock::hold() {
  while (!try_to_hold()) {
  }
  sign(*held_);
}

/// False when the lock file was removed meanwhile. What was held before is kept when the lock cannot be had.
bool FileLock::try_to_hold() {
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(open(lock_file_.c_str(), flags, 0666));
  if (!file.is_open() && (errno == ELOOP || errno == EISDIR || errno == ENXIO)) in_the_way(lock_file_);
  if (!file.is_open()) {
    const int reason = errno;
    if (reason == ENOENT) require_folder(file_);
    cannot_lock(lock_file_, reason);
  }
  struct stat held {};
  if (fstat(*file, &held) != 0) cannot_lock(lock_file_, errno);
  if (!S_ISREG(held.st_mode) || held.st_nlink > 1) in_the_way(lock_file_);
  const bool locked = flock(*file, LOCK_EX | LOCK_NB) == 0;
  const int reason = errno;
  const std::string holder = content_of_lock(*file, held.st_size);
  if (!holder.empty() && !holder.starts_with(signature)) in_the_way(lock_file_);
  if (!locked && reason == EINTR) return false;
  if (!locked && reason != EWOULDBLOCK) cannot_lock(lock_file_, reason);
  if (!locked) throw IoError(fmt::format("{} {}{}", file_, taken_, holder.empty() ? "" : fmt::format(" ({})", holder)));
  // The holder before us may have removed the file between our opening and our locking it; a lock on a file that does
  // not have this name any more keeps nobody out.
  if (!is_named(held, lock_file_)) return false;
  held_ = std::move(file);
  return true;
}

bool FileLock::in_place() const {
  struct stat held {};
  return fstat(*held_, &held) == 0 && is_named(held, lock_file_);
}

void FileLock::hold_again() {
  try {
    hold();
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}; {} was removed while this process held it", error.what(), lock_file_));
  }
}

FileLock::~FileLock() {
  if (in_place()) unlink(lock_file_.c_str());  // while it is still locked, so that nobody takes it meanwhile
}

}  // namespace bellwether
