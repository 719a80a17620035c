#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <bellwether/core/support/ahead.h>

namespace bellwether {

/// Bytes that a thread of its own prepares while the caller works on those before them, such as the decompressed bytes
/// of a file. The thread waits when it is half a mebibyte ahead.
class ReadAhead {
 public:
  static constexpr std::size_t part_size = std::size_t{1} << 16U;
  static constexpr std::size_t most_parts = 8;

  struct Made {
    std::size_t size;        // bytes; 0 at the end
    std::uint64_t position;  // of the source, after these bytes
  };
  /// Writes up to `part_size` bytes. What it throws, `read` throws after the bytes that came before.
  using Make = std::function<Made(char* to)>;

  /// Only the thread calls `make`, until the destructor ends it.
  explicit ReadAhead(const Make& make);

  /// Waits for bytes, copies up to `size` > 0 of them and returns how many: 0 at the end.
  std::size_t read(char* to, std::size_t size);

  /// The position of the source after the part that was read last.
  std::uint64_t position() const { return part_ == nullptr ? 0 : part_->made.position; }

 private:
  struct Part {
    std::vector<char> bytes = std::vector<char>(part_size);
    Made made{};
  };

  const Part* part_ = nullptr;  // the one that is being read
  std::size_t begin_ = 0;       // its first byte that has not been read
  Ahead<Part> parts_;
};

}  // namespace bellwether
