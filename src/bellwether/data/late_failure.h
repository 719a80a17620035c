#pragma once

#include <exception>
#include <utility>

#include <bellwether/core/error.h>

namespace bellwether {

/// Lets the rows before a bad one through: a failure after some rows of a block were read ends this block, and is
/// thrown by the next read. A stream cannot be read again, and what came before the failure is to be learned from.
class LateFailure {
 public:
  explicit LateFailure(bool wanted = true) : wanted_(wanted) {}

  /// Calls `read`, which returns whether there are more, and `has_rows`, which says whether it has read some before it
  /// failed.
  template <class Read, class HasRows>
  bool guard(Read&& read, HasRows&& has_rows) {
    if (failure_) std::rethrow_exception(failure_);
    try {
      return read();
    } catch (const InvalidArgument&) {
      keep(has_rows());
    } catch (const IoError&) {
      keep(has_rows());
    }
    return true;
  }

 private:
  /// To be called by a handler.
  void keep(bool rows) {
    if (!wanted_ || !rows) throw;
    failure_ = std::current_exception();
  }

  bool wanted_;
  std::exception_ptr failure_;
};

}  // namespace bellwether
