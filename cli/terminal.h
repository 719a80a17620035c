#pragma once

#include <chrono>
#include <string>
#include <string_view>

/// What a person at a terminal sees and a program reading the output must not.
namespace bellwether::cli {

/// Bold, when standard output is a terminal that shows colours.
std::string bold(std::string_view text);

/// A line on standard error with a bar, the share done and the time left. Nothing is shown when standard error is not a
/// terminal, nor for work that takes less than half a second.
class ProgressLine {
 public:
  explicit ProgressLine(std::string label, bool wanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void operator()(double share);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool shown_ = false;
  bool on_terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace bellwether::cli
