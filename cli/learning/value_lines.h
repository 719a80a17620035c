#pragma once

#include <cstdint>
#include <string>

#include <bellwether/core/support/output_file.h>
#include <bellwether/model/model.h>

namespace bellwether::cli {

/// Writes the values of states as they arrive, one JSON object per line, for programs that follow a stream. Lines are
/// appended to the file, and each block of them is written out at once. When there is no room for a block, it is left
/// out whole, and the next one is tried again: learning does not wait for a disk. A reader sees the gap by the numbers
/// of the steps.
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

  /// Synchronises the file with the disk. If that fails, learning continues, and `finish` says so.
  void keep();

  /// Synchronises the file with the disk. Throws IoError when values are missing, or may be after a power failure.
  void finish();

 private:
  std::string path_;
  AppendedFile file_;
  std::uint64_t lines_ = 0;
  std::uint64_t missing_ = 0;  // of these
  std::string reason_;         // why the last of them are
  std::string unsafe_;         // why those that were written may not be on the disk
};

}  // namespace bellwether::cli
