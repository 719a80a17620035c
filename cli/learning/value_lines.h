#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <bellwether/core/files/line_pipe.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/model/model.h>

namespace bellwether::cli {

/// Writes the values of states as they arrive, one JSON object per line, for programs that follow a stream. Lines are
/// appended to the file, and each block of them is written out at once. When there is no room for a block, it is left
/// out whole, and the next one is tried again: learning does not wait for a disk. A reader sees the gap by the numbers
/// of the steps.
///
/// A pipe is waited for, in `deliver`, as long as its reader goes on reading.
class ValueLines {
 public:
  /// Throws IoError when the file cannot be opened. A last line that a power failure or a kill cut short is ended, so
  /// that it damages no other.
  explicit ValueLines(std::string path);

  /// Writes the values of the states of steps that are about to be learned from: {"step": 17, "value": -3.2}, or with
  /// several targets {"step": 17, "value": {"a": 1.5, "b": 2}}. Once a learner has diverged, its values are null.
  ///
  /// The first time that they cannot be written, a line on standard error says so.
  void write(const Model& model, const StepBlock& steps);

  /// Waits for the reader of a pipe, for at most so long. Returns true when he has taken all, or nothing for so long
  /// that the values are left out.
  bool deliver(std::chrono::milliseconds wait);

  /// Synchronises the file with the disk. If that fails, learning continues, and `finish` says so.
  void keep();

  /// Synchronises the file with the disk, or leaves out what a pipe does not take within half a second. Throws IoError
  /// when values are missing, or may be after a power failure.
  void finish();

 private:
  void leave_out(std::uint64_t lines, const IoError& error);

  std::string path_;
  std::optional<AppendedFile> file_;
  std::optional<LinePipe> pipe_;  // in its place, for pipes and devices
  std::uint64_t lines_ = 0;
  std::uint64_t missing_ = 0;  // of these
  std::string reason_;         // why the last of them are
  std::string unsafe_;         // why those that were written may not be on the disk
};

}  // namespace bellwether::cli
