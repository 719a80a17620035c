#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

/// Bytes of binary files. Every source keeps its own position, so several can be read side by side, such as the arrays
/// of one archive, row by row.
namespace bellwether {

/// Bytes that are read in order.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads the next `count` bytes, or fewer at the end. Returns how many were read.
  virtual std::size_t read(char* to, std::size_t count) = 0;

  /// The total number of bytes, if the file is complete.
  virtual std::uint64_t size() const = 0;
};

/// A file that can be read at any offset.
class RandomAccessFile {
 public:
  /// Throws IoError when the file cannot be opened, or is a folder, a pipe or a device.
  explicit RandomAccessFile(const std::string& path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Reads `count` bytes from `offset` on, or fewer at the end of the file. Returns how many. Throws IoError.
  std::size_t read(std::uint64_t offset, char* to, std::size_t count) const;

 private:
  std::string name_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// A range of bytes of a file.
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
