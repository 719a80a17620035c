#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <bellwether/core/files/output_file.h>

/// The one place that prints. A standard output or standard error that is full, closed or gone never stops work that
/// does not depend on it.
namespace bellwether::cli {

/// Thrown by Output when nobody reads standard output any more, as in `simulate ... | head`: the command ends quietly.
struct NobodyReads {};

/// The rows of a command: standard output, or a file that appears under its name only when it is complete (OutputFile).
/// Throws IoError with the file and the reason when writing fails.
class Output {
 public:
  /// `path` empty or "-" means standard output.
  explicit Output(const std::string& path);

  /// On a terminal, control characters are made visible.
  void write(const std::string& text);

  /// Writes everything out and gives the file its name. Without this call the file is discarded.
  void finish();

 private:
  std::optional<OutputFile> file_;  // nothing: standard output
};

/// Writes a text for people to standard output, with control characters made visible. Does not throw: the command has
/// done its work by then, or has more to do. `standard_output_failure` tells.
void print(std::string_view text);

/// Writes a text for people to standard error, with control characters made visible, if that is possible.
void tell(std::string_view text);

template <class... T>
void tell(fmt::format_string<T...> format, T&&... values) {
  tell(std::string_view(fmt::format(format, std::forward<T>(values)...)));
}

/// Writes to standard error as it is: control sequences of our own.
void tell_terminal(std::string_view text);

/// Writes out what is left for standard output, and says why not everything could be written; nothing when it could, or
/// when nobody wanted to read it.
std::optional<std::string> standard_output_failure();

/// To be called first. A full pipe or file then is an error instead of a signal, and a standard stream that is closed
/// stays an error: without this, the next file that is opened would take its place.
void guard_standard_streams();

}  // namespace bellwether::cli
