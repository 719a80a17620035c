#pragma once

namespace bellwether::cli {

/// While one exists, Ctrl-C and a polite request to end (SIGTERM) are noted instead of ending the program; a second one
/// ends it. Writing to a file beyond a size limit is an error like a full disk, not the end.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool asked();
};

/// Thrown by a verb that was interrupted and has said all there is to say; the program ends as shells expect.
struct Stopped {
  static constexpr int code = 130;
};

}  // namespace bellwether::cli
