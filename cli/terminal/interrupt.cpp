#include "terminal/interrupt.h"

#include <atomic>
#include <csignal>

#include <bellwether/core/files/patience.h>

namespace bellwether::cli {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

void remember(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  stop_waiting_when(asked);
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
  if (std::signal(SIGHUP, remember) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // started by nohup
}

Interrupt::~Interrupt() {
  stop_waiting_when(nullptr);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

bool Interrupt::asked() { return interrupted; }

}  // namespace bellwether::cli
