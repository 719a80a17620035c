#include <bellwether/data/bytes/input.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <zlib.h>

namespace bellwether {

struct Input::Inflater {
  Inflater() {
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
  std::vector<char> compressed = std::vector<char>(std::size_t{1} << 16U);
  bool inside = true;  // a gzip member; gzip files may be concatenated
};

Input::Input(const std::string& path, const TableOptions& options)
    : path_(path), name_(path == "-" ? "standard input" : path), asked_to_stop_(options.interrupted) {
  // With O_NONBLOCK it is poll that waits for a fifo that nobody writes to yet, and not open.
  descriptor_ = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) fail("cannot open");
  struct stat status {};
  if (fstat(descriptor_, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int reason = errno;
    close(descriptor_);
    if (S_ISDIR(status.st_mode)) throw IoError(fmt::format("{}: is a directory", name_));
    errno = reason;
    fail("cannot open");
  }
  if (!S_ISREG(status.st_mode)) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  position_ = static_cast<std::uint64_t>(std::max<off_t>(lseek(descriptor_, 0, SEEK_CUR), 0));
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

Input::~Input() {
  ahead_.reset();  // its thread reads from the descriptor
  close(descriptor_);
}

void Input::fail(const char* what) const {
  throw IoError(fmt::format("{}: {}: {}", name_, what, std::strerror(errno)));
}

std::optional<double> Input::fraction() const {
  if (!size_) return std::nullopt;
  const std::uint64_t position = ahead_ ? ahead_->position() : position_;
  return position < *size_ ? static_cast<double>(position) / static_cast<double>(*size_) : 1.0;
}

std::optional<std::size_t> Input::read_raw(char* to, std::size_t size, int patience) {
  if (interrupted_) return 0;
  if (is_stream()) {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (poll(&waiting, 1, patience) <= 0) {  // a signal ends the wait, too
      interrupted_ = asked_to_stop_();
      if (interrupted_) return 0;
      return std::nullopt;
    }
  }
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, to, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && errno == EAGAIN) return std::nullopt;
  if (count < 0) fail("cannot read");
  position_ += static_cast<std::uint64_t>(count);
  return static_cast<std::size_t>(count);
}

bool Input::recognise(int patience) {
  constexpr std::array<char, 2> gzip{'\x1f', '\x8b'};
  while (head_size_ < 2) {
    const auto count = read_raw(head_.data() + head_size_, 2 - head_size_, patience);
    if (!count) return false;
    head_size_ += *count;
    if (*count == 0 || head_[0] != gzip[0]) break;
  }
  recognised_ = true;
  if (head_size_ < 2 || head_ != gzip) return true;
  inflater_ = std::make_unique<Inflater>();
  std::copy(head_.begin(), head_.end(), inflater_->compressed.begin());
  inflater_->stream.next_in = reinterpret_cast<Bytef*>(inflater_->compressed.data());
  inflater_->stream.avail_in = 2;
  if (!is_stream()) {
    ahead_ = std::make_unique<ReadAhead>([this](char* to) {
      const std::size_t size = read_gzip(to, ReadAhead::part_size, 0).value();
      return ReadAhead::Made{size, position_};
    });
  }
  return true;
}

std::optional<std::size_t> Input::read(char* to, std::size_t size, int patience) {
  if (!recognised_ && !recognise(patience)) return std::nullopt;
  if (ahead_) return ahead_->read(to, size);
  return inflater_ ? read_gzip(to, size, patience) : read_plain(to, size, patience);
}

std::optional<std::size_t> Input::read_plain(char* to, std::size_t size, int patience) {
  if (head_size_ == 0) return read_raw(to, size, patience);
  const std::size_t count = std::min(size, head_size_);
  std::copy_n(head_.begin(), count, to);
  head_[0] = head_[1];  // the byte that is left when there was room for one only
  head_size_ -= count;
  return count;
}

std::optional<std::size_t> Input::read_gzip(char* to, std::size_t size, int patience) {
  Inflater& gzip = *inflater_;
  z_stream& stream = gzip.stream;
  stream.next_out = reinterpret_cast<Bytef*>(to);
  stream.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30U));
  const uInt room = stream.avail_out;
  for (;;) {
    if (gzip.inside || stream.avail_in > 0) {
      if (!gzip.inside) inflateReset(&stream);
      const int result = inflate(&stream, Z_NO_FLUSH);
      gzip.inside = result != Z_STREAM_END;
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        throw IoError(fmt::format("{}: the compressed data are damaged", name_));
      }
    }
    if (stream.avail_out < room) return room - stream.avail_out;
    if (stream.avail_in > 0) continue;
    const auto count = read_raw(gzip.compressed.data(), gzip.compressed.size(), patience);
    if (!count) return std::nullopt;
    if (*count == 0 && gzip.inside && !interrupted_) {
      throw IoError(fmt::format("{}: the compressed data end early", name_));
    }
    if (*count == 0) return 0;
    stream.next_in = reinterpret_cast<Bytef*>(gzip.compressed.data());
    stream.avail_in = static_cast<uInt>(*count);
  }
}

}  // namespace bellwether
