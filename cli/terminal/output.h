#pragma once

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace bellwether::cli {

/// Where a verb writes: standard output, or a file that appears under its name only when it is complete. A write that
/// fails is an IoError naming the file and the reason. What is not a regular file, such as a pipe or a device, is
/// written to as it is; a link stays a link.
class Output {
 public:
  /// `path` empty or "-" means standard output.
  explicit Output(std::string path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(const std::string& text);

  /// Flushes, and gives the file its name. Without it a file is discarded.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::string path_;     // as given, for messages
  std::string target_;   // where links lead
  std::string partial_;  // where a file is written before it gets its name
  std::FILE* file_;
};

}  // namespace bellwether::cli
