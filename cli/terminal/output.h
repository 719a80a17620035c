#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include <bellwether/core/files.h>

namespace bellwether::cli {

/// Where a verb writes: standard output, or a file that appears under its name only when it is complete (OutputFile).
/// A write that fails is an IoError naming the file and the reason.
class Output {
 public:
  /// `path` empty or "-" means standard output.
  explicit Output(const std::string& path);

  void write(const std::string& text);

  /// Flushes, and gives the file its name. Without it a file is discarded.
  void finish();

 private:
  std::optional<OutputFile> file_;  // nothing: standard output
};

}  // namespace bellwether::cli
