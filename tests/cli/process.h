#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "cli/program.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {

/// The words that start the ranks of a program, which follow them. What the sanitizers would report of OpenMPI itself
/// is left out: memory that it does not free, and the order of its locks.
std::vector<std::string> mpirun(int ranks);

/// A program that runs beside the test and may be disturbed.
class Process {
 public:
  /// Looks for words[0] where the shell would. With a limit, no file may grow beyond so many bytes, until it is lifted.
  explicit Process(const std::vector<std::string>& words, std::size_t file_size_limit = 0);
  ~Process();  // kills it, if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  bool running();
  void signal(int number) const;

  void lift_file_size_limit() const;

  /// What it has said on standard error so far.
  std::string err() const;

  /// Waits for the end. The code of a program that a signal ended is 128 + its number, as in shells.
  Finished finish();

  /// Processes that this one has started and that still run.
  std::vector<pid_t> children() const;

 private:
  TemporaryFolder folder_;
  pid_t pid_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

/// Runs a command in bash.
Finished shell(const std::string& command);

/// Waits until a condition holds. False when it does not in time, or when the test has failed meanwhile.
bool holds_within(const std::function<bool()>& condition, std::chrono::seconds patience = std::chrono::seconds(60));

}  // namespace bellwether::testing
