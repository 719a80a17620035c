#include "terminal.h"

#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace bellwether::cli {

namespace {

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

}  // namespace

std::string bold(std::string_view text) {
  static const bool colours = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return colours ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

ProgressLine::ProgressLine(std::string label, bool wanted)
    : label_(std::move(label)), on_terminal_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::operator()(double share) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (!on_terminal_ || now - begin_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  constexpr int width = 30;
  const int full = static_cast<int>(share * width);
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  fmt::print(stderr, "\r\033[K{} [{:=<{}}{: <{}}] {:3.0f} %, {} left", label_, "", full, "", width - full, 100 * share,
             share > 0 ? duration(elapsed * (1 - share) / share) : "?");
  std::fflush(stderr);
}

}  // namespace bellwether::cli
