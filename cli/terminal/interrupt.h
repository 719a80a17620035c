#pragma once

namespace bellwether::cli {

/// While one exists, the first Ctrl-C, SIGTERM or SIGHUP (its terminal is gone) is remembered instead of ending the
/// program; the second one ends it. Waiting for somebody at the other end of a pipe ends with the first
/// (core/files/patience.h). A program that was started by nohup goes on ignoring SIGHUP.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// True after the first of these signals.
  static bool asked();
};

/// Thrown by a command that was interrupted and has already reported it; the program exits with the code that shells
/// expect.
struct Stopped {
  static constexpr int code = 130;
};

}  // namespace bellwether::cli
