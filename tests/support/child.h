#pragma once

#include <csignal>
#include <functional>

#include <sys/wait.h>
#include <unistd.h>

namespace bellwether::testing {

/// A process of its own, which ends with the code that `work` returns; 111 when it throws.
///
/// To be started while no other thread runs: one that allocates at this moment would leave the child without an
/// allocator.
class Child {
 public:
  explicit Child(const std::function<int()>& work) : id_(fork()) {
    if (id_ != 0) return;
    int code = 111;
    try {
      code = work();
    } catch (...) {
      code = 111;
    }
    _exit(code);
  }

  /// Waits for its end: the exit code, or minus the signal that ended it.
  int code() {
    int status = 0;
    waitpid(id_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void kill() {
    ::kill(id_, SIGKILL);
    code();
  }

  pid_t id() const { return id_; }

 private:
  pid_t id_;
};

}  // namespace bellwether::testing
