#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

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
  explicit ReadAhead(Make make);
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Waits for bytes, copies up to `size` > 0 of them and returns how many: 0 at the end.
  std::size_t read(char* to, std::size_t size);

  /// The position of the source after the part that was read last.
  std::uint64_t position() const { return position_; }

 private:
  struct Part {
    std::vector<char> bytes = std::vector<char>(part_size);
    Made made{};
  };

  void run();

  Make make_;
  std::array<Part, most_parts> parts_;  // a ring
  std::size_t first_ = 0;               // the part that is being read
  std::size_t begin_ = 0;               // its first byte that has not been read
  std::uint64_t position_ = 0;

  std::mutex mutex_;  // guards what follows; a part belongs to the reader while it is among the ready ones
  std::condition_variable changed_;
  std::size_t ready_ = 0;  // parts, from the first on
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // the last member, since it uses the others
};

}  // namespace bellwether
