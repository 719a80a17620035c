#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <bellwether/core/support/text.h>

/// Output for people at a terminal.
namespace bellwether::cli {

/// The text in bold if standard output is a terminal, unless NO_COLOR is set or OpenMPI started the program.
std::string bold(std::string_view text);

/// "3 min 07 s"
std::string duration(double seconds);

/// A progress bar on standard error, with the share done and the time left. Work that takes less than half a second
/// shows nothing, and so does a standard error that is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::string label, bool wanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `share` is between 0 and 1; `note` is shown in brackets after it.
  void operator()(double share, const std::string& note = "");

  /// Removes the bar from the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool shown_ = false;
  bool wanted_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace bellwether::cli
