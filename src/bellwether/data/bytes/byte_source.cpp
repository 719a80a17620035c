#include <bellwether/data/bytes/byte_source.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw IoError(fmt::format("{}: {}: {}", name, what, std::generic_category().message(errno)));
}

}  // namespace

RandomAccessFile::RandomAccessFile(const std::string& path) : name_(path) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would block.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail(name_, "cannot open");
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    const int reason = errno;
    ::close(descriptor_);
    errno = reason;
    if (!known) fail(name_, "cannot open");
    throw IoError(fmt::format("{}: is {}", name_, S_ISDIR(status.st_mode) ? "a directory" : "not a regular file"));
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

RandomAccessFile::~RandomAccessFile() { ::close(descriptor_); }

std::size_t RandomAccessFile::read(std::uint64_t offset, char* to, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(descriptor_, to + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, "cannot read");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::size_t FilePart::read(char* to, std::size_t count) {
  const std::size_t got = file_->read(offset_, to, static_cast<std::size_t>(std::min<std::uint64_t>(count, left_)));
  offset_ += got;
  left_ -= got;
  return got;
}

}  // namespace bellwether
