#include "terminal/terminal.h"

#include <unistd.h>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "terminal/output.h"
#include "terminal/visible.h"

namespace bellwether::cli {

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

std::string bold(std::string_view text) {
  // The standard output of a process that OpenMPI starts is a terminal, from which OpenMPI copies to its own output.
  static const bool colours = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr &&
                              std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr;
  return colours ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

ProgressLine::ProgressLine(std::string label, bool wanted)
    : label_(std::move(label)), wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) tell_terminal("\r\033[K");
  shown_ = false;
}

void ProgressLine::operator()(double share, const std::string& note) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (!wanted_ || now - begin_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const std::string left = share > 0 ? duration(elapsed * (1 - share) / share) : "?";
  const std::string more = note.empty() ? "" : fmt::format(" ({})", note);
  shown_ = true;
  constexpr int width = 30;
  const int full = static_cast<int>(share * width);
  const std::string line = fmt::format("{} [{:=<{}}{: <{}}] {:3.0f} %, {} left{}", label_, "", full, "", width - full,
                                       100 * share, left, more);
  tell_terminal("\r\033[K" + visible(line));
}

}  // namespace bellwether::cli
