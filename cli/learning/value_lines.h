#pragma once

#include <cstdint>
#include <string>

#include <bellwether/core/support/output_file.h>
#include <bellwether/model/model.h>

namespace bellwether::cli {

/// Writes the values of states as they arrive, one JSON object per line, for programs that follow a stream. Lines are
/// appended to the file, and each block of them is written out at once. When there is no room for a block, it is left
/// out whole, and the next one is tried again: learning does not wait for a disk.
class ValueLines {
 public:
  /// Throws IoError when the file cannot be opened.
  explicit ValueLines(std::string path);

  /// Writes the values of the states of steps that are about to be learned from: {"step": 17, "value": -3.2}, or with
  /// several targets {"step": 17, "value": {"a": 1.5, "b": 2}}. Once a learner has diverged, its values are null.
  ///
  /// The first time that they cannot be written, a line on standard error says so.
  void write(const Model& model, const StepBlock& steps);

  /// Synchronises the file with the disk. Throws IoError when values are missing.
  void finish() const;

 private:
  std::string path_;
  AppendedFile file_;
  std::uint64_t lines_ = 0;
  std::uint64_t missing_ = 0;  // of these
  std::string reason_;         // why the last of them are
};

}  // namespace bellwether::cli
