#include <bellwether/data/bytes/zip.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

// The parts of an archive, by the four bytes that they begin with, and their lengths without what may follow.
constexpr std::uint32_t member_header = 0x04034b50;
constexpr std::uint32_t directory_entry = 0x02014b50;
constexpr std::uint32_t directory_end = 0x06054b50;
constexpr std::uint32_t large_directory_end = 0x06064b50;
constexpr std::uint32_t large_directory_locator = 0x07064b50;
constexpr std::size_t member_header_size = 30;
constexpr std::size_t directory_entry_size = 46;
constexpr std::size_t directory_end_size = 22;
constexpr std::size_t large_directory_end_size = 56;
constexpr std::size_t large_directory_locator_size = 20;

constexpr std::uint64_t in_zip64 = 0xffffffff;  // a size or an offset that is kept elsewhere, having 64 bits
constexpr std::uint16_t zip64_field = 1;
constexpr std::size_t longest_comment = 0xffff;
constexpr std::size_t largest_directory = 1 << 26;     // a million members
constexpr std::uint64_t strongest_compression = 1032;  // of deflate: a bit for a match of 258 bytes, and some more

[[noreturn]] void reject_damage(const std::string& name, std::string_view what) {
  throw IoError(fmt::format("{} is damaged or cut off: {}", name, what));
}

/// Little-endian numbers out of bytes.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T at(std::size_t offset) const {
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = 256 * value + static_cast<unsigned char>(bytes_[offset + i]);
    return static_cast<T>(value);
  }

 private:
  std::string_view bytes_;
};

std::string read_exactly(const RandomAccessFile& file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  if (offset > file.size() || file.read(offset, bytes.data(), size) != size) {
    reject_damage(file.name(), "it ends within a header");
  }
  return bytes;
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

Directory find_directory(const RandomAccessFile& file) {
  const std::size_t tail_size = std::min<std::uint64_t>(file.size(), directory_end_size + longest_comment);
  const std::uint64_t tail_offset = file.size() - tail_size;
  const std::string tail = read_exactly(file, tail_offset, tail_size);
  const bool begins_well = tail_size >= 4 && Fields(read_exactly(file, 0, 4)).at<std::uint32_t>(0) == member_header;
  for (std::size_t at = tail_size < directory_end_size ? 0 : tail_size - directory_end_size + 1; at-- > 0;) {
    const Fields end(std::string_view(tail).substr(at));
    if (end.at<std::uint32_t>(0) != directory_end) continue;
    if (end.at<std::uint16_t>(20) != tail_size - at - directory_end_size) continue;  // the length of the comment
    Directory directory{end.at<std::uint32_t>(16), end.at<std::uint32_t>(12)};
    const std::uint64_t here = tail_offset + at;
    if (here >= large_directory_locator_size) {
      const std::string locator = read_exactly(file, here - large_directory_locator_size, large_directory_locator_size);
      if (Fields(locator).at<std::uint32_t>(0) == large_directory_locator) {
        const std::string large = read_exactly(file, Fields(locator).at<std::uint64_t>(8), large_directory_end_size);
        if (Fields(large).at<std::uint32_t>(0) != large_directory_end) {
          reject_damage(file.name(), "the list of its members is missing");
        }
        directory = {Fields(large).at<std::uint64_t>(48), Fields(large).at<std::uint64_t>(40)};
      }
    }
    return directory;
  }
  if (begins_well) reject_damage(file.name(), "the list of its members is missing");
  throw InvalidArgument(fmt::format("{} is not a zip archive", file.name()));
}

/// Takes sizes and offset of a member from the field that holds those of 64 bits.
void apply_zip64(ZipMember& member, std::string_view extra) {
  for (std::size_t length = 0; extra.size() >= 4; extra.remove_prefix(std::min(extra.size(), 4 + length))) {
    const Fields field(extra);
    length = field.at<std::uint16_t>(2);
    if (field.at<std::uint16_t>(0) != zip64_field) continue;
    std::size_t at = 4;
    for (std::uint64_t* number : {&member.size, &member.compressed_size, &member.offset}) {
      if (*number != in_zip64 || at + 8 > std::min(extra.size(), 4 + length)) continue;
      *number = field.at<std::uint64_t>(at);
      at += 8;
    }
  }
}

/// Bytes that were deflated.
class Inflated final : public ByteSource {
 public:
  Inflated(FilePart compressed, std::uint64_t size, std::string name)
      : compressed_(std::move(compressed)), size_(size), name_(std::move(name)) {
    // Without a header of its own.
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw IoError(fmt::format("{}: zlib can not be used", name_));
  }
  ~Inflated() override { inflateEnd(&stream_); }
  Inflated(const Inflated&) = delete;
  Inflated& operator=(const Inflated&) = delete;

  std::size_t read(char* to, std::size_t count) override {
    std::size_t done = 0;
    while (done < count && !ended_) {
      if (stream_.avail_in == 0) {
        stream_.next_in = buffer_.data();
        stream_.avail_in = static_cast<uInt>(compressed_.read(reinterpret_cast<char*>(buffer_.data()), buffer_.size()));
        if (stream_.avail_in == 0) break;
      }
      const auto part = static_cast<uInt>(std::min<std::size_t>(count - done, 1U << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(to + done);
      stream_.avail_out = part;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      done += part - stream_.avail_out;
      ended_ = result == Z_STREAM_END;
      if (!ended_ && result != Z_OK) reject_damage(name_, "it can not be decompressed");
    }
    return done;
  }

  std::uint64_t size() const override { return size_; }

 private:
  FilePart compressed_;
  std::uint64_t size_;
  std::string name_;
  z_stream stream_{};
  std::array<Bytef, 1 << 15> buffer_;
  bool ended_ = false;
};

/// Bytes whose checksum is known.
class Checked final : public ByteSource {
 public:
  Checked(std::unique_ptr<ByteSource> bytes, std::uint32_t crc, std::string name)
      : bytes_(std::move(bytes)), left_(bytes_->size()), expected_(crc), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t count) override {
    const std::size_t wanted = std::min<std::uint64_t>(count, left_);
    const std::size_t got = bytes_->read(to, wanted);
    if (got < wanted) reject_damage(name_, "it ends too early");
    crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(to), got);
    left_ -= got;
    if (left_ == 0 && got > 0 && crc_ != expected_) reject_damage(name_, "its checksum is wrong");
    return got;
  }

  std::uint64_t size() const override { return bytes_->size(); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t left_;
  std::uint32_t expected_;
  std::string name_;
  uLong crc_ = 0;
};

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : file_(std::make_shared<RandomAccessFile>(path)) {
  if (file_->size() == 0) throw InvalidArgument(name() + " is empty");
  const Directory directory = find_directory(*file_);
  if (directory.size > largest_directory || directory.size > file_->size()) {
    reject_damage(name(), "the list of its members is too long");
  }
  const std::string bytes = read_exactly(*file_, directory.offset, directory.size);
  for (std::string_view rest = bytes; !rest.empty();) {
    if (rest.size() < directory_entry_size || Fields(rest).at<std::uint32_t>(0) != directory_entry) {
      reject_damage(name(), "the list of its members can not be read");
    }
    const Fields entry(rest);
    const std::size_t name_size = entry.at<std::uint16_t>(28);
    const std::size_t extra_size = entry.at<std::uint16_t>(30);
    const std::size_t entry_size = directory_entry_size + name_size + extra_size + entry.at<std::uint16_t>(32);
    if (entry_size > rest.size()) reject_damage(name(), "the list of its members ends too early");
    ZipMember member{.name = std::string(rest.substr(directory_entry_size, name_size)),
                     .flags = entry.at<std::uint16_t>(8),
                     .method = entry.at<std::uint16_t>(10),
                     .crc = entry.at<std::uint32_t>(16),
                     .compressed_size = entry.at<std::uint32_t>(20),
                     .size = entry.at<std::uint32_t>(24),
                     .offset = entry.at<std::uint32_t>(42)};
    apply_zip64(member, rest.substr(directory_entry_size + name_size, extra_size));
    members_.push_back(std::move(member));
    rest.remove_prefix(entry_size);
  }
}

std::unique_ptr<ByteSource> ZipArchive::open(const ZipMember& member) const {
  const std::string label = fmt::format("{}: '{}'", name(), member.name);
  constexpr std::uint16_t encrypted = 1;
  constexpr std::uint16_t stored = 0;
  constexpr std::uint16_t deflated = 8;
  if ((member.flags & encrypted) != 0) throw InvalidArgument(label + " is encrypted");
  if (member.method != stored && member.method != deflated) {
    throw InvalidArgument(fmt::format("{} is compressed by method {}; stored and deflated (8) members can be read",
                                      label, member.method));
  }
  const std::string header = read_exactly(*file_, member.offset, member_header_size);
  if (Fields(header).at<std::uint32_t>(0) != member_header) reject_damage(label, "it is not where it should be");
  const std::uint64_t begin =
      member.offset + member_header_size + Fields(header).at<std::uint16_t>(26) + Fields(header).at<std::uint16_t>(28);
  if (begin > file_->size() || member.compressed_size > file_->size() - begin) {
    reject_damage(label, "it reaches beyond the end of the file");
  }
  if (member.method == stored ? member.size != member.compressed_size
                              : member.size / strongest_compression > member.compressed_size) {
    reject_damage(label, "its size is wrong");
  }
  std::unique_ptr<ByteSource> bytes;
  FilePart part(file_, begin, member.compressed_size);
  if (member.method == stored) bytes = std::make_unique<FilePart>(std::move(part));
  else bytes = std::make_unique<Inflated>(std::move(part), member.size, label);
  return std::make_unique<Checked>(std::move(bytes), member.crc, label);
}

}  // namespace bellwether
