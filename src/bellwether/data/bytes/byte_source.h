#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

/// Bytes of binary files. Every source has a place of its own in the file, so that several can be read side by side:
/// the arrays of one archive, say, row by row.
namespace bellwether {

/// Bytes in order, from the first to the last.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// The next bytes: `count` of them unless the end comes first. Returns how many there were.
  virtual std::size_t read(char* to, std::size_t count) = 0;

  /// How many bytes there are in all, if the file is whole.
  virtual std::uint64_t size() const = 0;
};

/// A file that can be read anywhere.
class RandomAccessFile {
 public:
  /// Throws IoError when it cannot be opened, or is a folder, a pipe or a device.
  explicit RandomAccessFile(const std::string& path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Up to `count` bytes from `offset` on, fewer only at the end of the file. Throws IoError.
  std::size_t read(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  std::string name_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// A part of a file as it stands there.
class FilePart final : public ByteSource {
 public:
  FilePart(std::shared_ptr<const RandomAccessFile> file, std::uint64_t offset, std::uint64_t size)
      : file_(std::move(file)), offset_(offset), size_(size), left_(size) {}

  std::size_t read(char* to, std::size_t count) override;
  std::uint64_t size() const override { return size_; }

 private:
  std::shared_ptr<const RandomAccessFile> file_;
  std::uint64_t offset_, size_, left_;
};

}  // namespace bellwether
