#pragma once

namespace bellwether::cli {

/// While one exists, the first Ctrl-C or SIGTERM is remembered instead of ending the program; the second one ends it.
/// Exceeding a limit on file sizes is an error, like a full disk, instead of ending the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// True after the first Ctrl-C or SIGTERM.
  static bool asked();
};

/// Thrown by a command that was interrupted and has already reported it; the program exits with the code that shells
/// expect.
struct Stopped {
  static constexpr int code = 130;
};

}  // namespace bellwether::cli
