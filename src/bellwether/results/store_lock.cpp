#include <bellwether/results/store_lock.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/results/store_file.h>

namespace bellwether {

namespace {

/// " (process 1234 on host)", or nothing when the holder has not yet said who it is.
std::string holder(int descriptor) {
  std::array<char, 512> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size() - 1, 0);
  return length > 0 ? fmt::format(" ({})", text.data()) : "";
}

void sign(int descriptor) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string who = fmt::format("process {} on {}", getpid(), host.data());
  // Who holds the lock is said for people only: a disk that has no room for it does not matter.
  if (ftruncate(descriptor, 0) == 0 && pwrite(descriptor, who.data(), who.size(), 0) < 0) return;
}

}  // namespace

StoreLock::StoreLock(const std::filesystem::path& file) : lock_file_(store_file::located(file).string() + ".lock") {
  for (;;) {
    descriptor_ = open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw IoError(fmt::format("cannot write {}: {}", lock_file_.string(), std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      const std::string who = holder(descriptor_);
      ::close(descriptor_);
      throw IoError(reason == EWOULDBLOCK
                        ? fmt::format("{} is being written to by another sweep{}", file.string(), who)
                        : fmt::format("cannot lock {}: {}", lock_file_.string(), std::strerror(reason)));
    }
    // The holder before us may have removed the file between our opening and our locking it; a lock on a file that has
    // no name any more keeps nobody out.
    struct stat status {};
    if (fstat(descriptor_, &status) == 0 && status.st_nlink > 0) break;
    ::close(descriptor_);
  }
  sign(descriptor_);
}

StoreLock::~StoreLock() {
  unlink(lock_file_.c_str());  // while it is still locked, so that it is ours that goes
  ::close(descriptor_);
}

}  // namespace bellwether
