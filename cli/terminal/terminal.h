#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <bellwether/core/text.h>

/// What a person at a terminal sees and a program reading the output must not.
namespace bellwether::cli {

/// Bold, when standard output is a terminal that shows colours.
std::string bold(std::string_view text);

/// "3 min 07 s"
std::string duration(double seconds);

/// A line on standard error with a bar, the share done and the time left. Nothing is shown for work that takes less
/// than half a second. When standard error is not a terminal, a plain line is written once a minute instead.
class ProgressLine {
 public:
  explicit ProgressLine(std::string label, bool wanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `note` says more than the share does.
  void operator()(double share, const std::string& note = "");

  /// Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool shown_ = false;
  bool wanted_;
  bool on_terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace bellwether::cli
