#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <bellwether/core/files/descriptor.h>

namespace bellwether {

/// Lines for whoever reads a pipe or a device. Nothing here waits longer than its caller wants: lines are kept until
/// they are taken. A reader may be slow; one that takes nothing at all for some time is treated like a full disk, and
/// lines are given up. A line that was written in part is finished before others follow, so lines stay whole.
class LinePipe {
 public:
  static constexpr std::chrono::seconds usual_patience{30};

  /// A pipe that nobody reads yet is opened later. Throws IoError when it cannot be.
  explicit LinePipe(std::string path, std::chrono::milliseconds patience = usual_patience);

  /// Adds whole lines to those that are kept.
  void add(std::string_view lines);

  /// Writes what the reader takes within `wait`, and returns whether that is all. Throws IoError when writing fails,
  /// and when the reader has taken nothing for as long as the patience lasts: the lines are given up. While he goes on
  /// taking nothing, further lines are given up without waiting.
  bool deliver(std::chrono::milliseconds wait);

  /// Gives up what is kept, to the last line.
  void abandon();

  std::uint64_t given_up() const { return given_up_; }  // lines

 private:
  using Clock = std::chrono::steady_clock;

  bool open();
  bool write_some();
  void keep_only(std::size_t bytes);
  [[noreturn]] void fail() const;

  std::string path_;
  std::chrono::milliseconds patience_;
  Descriptor file_;
  std::string waiting_;
  bool within_line_ = false;   // the first of these lines was written in part
  Clock::time_point taken_{};  // when the reader last took something, or when there first was something to take
  bool stuck_ = false;
  std::uint64_t given_up_ = 0;
};

}  // namespace bellwether
