#pragma once

#include <stdexcept>
#include <string>

namespace bellwether {

/// A request that cannot be met. The message is one line that names who, what, which value and which rule:
/// `td: alpha = -1 is outside (0, inf)`. The command line turns it into exit code 2.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The outside world failed: a file, a disk, a pipe. The command line turns it into exit code 1.
///
/// Mathematics that fails is neither of these. A learner that diverges says so in its status and keeps its last finite
/// weights; it never throws.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bellwether
