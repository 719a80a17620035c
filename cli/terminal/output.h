#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include <bellwether/core/support/output_file.h>

namespace bellwether::cli {

/// The output of a command: standard output, or a file that appears under its name only when it is complete
/// (OutputFile). Throws IoError with the file and the reason when writing fails.
class Output {
 public:
  /// `path` empty or "-" means standard output.
  explicit Output(const std::string& path);

  void write(const std::string& text);

  /// Writes everything out and gives the file its name. Without this call the file is discarded.
  void finish();

 private:
  std::optional<OutputFile> file_;  // nothing: standard output
};

/// Writes a text to standard output.
void print(const std::string& text);

}  // namespace bellwether::cli
