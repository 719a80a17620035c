#include <bellwether/results/store_lock.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/results/store_file.h>

namespace bellwether {

namespace {

constexpr const char* taken = "is being written to by another sweep";

}  // namespace

StoreLock::StoreLock(const std::filesystem::path& file)
    : file_(file.string()), target_(store_file::located(file).string()), by_name_(file_, taken) {}

void StoreLock::hold_file() {
  held_ = Descriptor(open(target_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!held_.is_open()) throw IoError(fmt::format("cannot open {}: {}", file_, std::strerror(errno)));
  if (flock(*held_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw IoError(fmt::format("{} {} under another name", file_, taken));
  }
}

void StoreLock::check_in_place() const {
  struct stat held {};
  struct stat named {};
  if (fstat(*held_, &held) != 0) return;
  const bool there = lstat(target_.c_str(), &named) == 0;
  if (there && held.st_ino == named.st_ino && held.st_dev == named.st_dev) return;
  throw IoError(fmt::format("{} was {} while the sweep was writing to it, and what was written is {}", file_,
                            there ? "replaced" : "deleted or moved",
                            held.st_nlink == 0 ? "lost" : "in the file that had this name"));
}

}  // namespace bellwether
