#pragma once

#include <stdexcept>
#include <string>

namespace bellwether {

/// The two exceptions of the library (a third, Interrupted in experiment/workers.h, is what stopping looks like).
///
///     try {
///       learn({.files = {"log.csv"}});
///     } catch (const InvalidArgument& error) {  // ask for something else
///       std::fprintf(stderr, "%s\n", error.what());
///     } catch (const IoError& error) {          // try again, elsewhere
///       std::fprintf(stderr, "%s\n", error.what());
///     }
///
/// A request that cannot be met, or data that cannot be understood. The message is one line that names who, what, which
/// value and which rule: `td: alpha = -1 is outside (0, inf)`. The command line turns it into exit code 2.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The outside world failed: a file, a disk, a pipe. The message names the file. The command line turns it into exit
/// code 1.
///
/// Mathematics that fails is neither of these. A learner that diverges says so in its status and keeps its last finite
/// weights; it never throws.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bellwether
