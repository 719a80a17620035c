#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace bellwether::python {

/// Says whether a thread is working with an object. Objects that learn have no locks, and learning releases Python's
/// own: two threads with one object would destroy it, so the second is refused.
class InUse {
 public:
  InUse() = default;
  InUse(const InUse&) {}  // a copy is another object
  InUse& operator=(const InUse&) { return *this; }

  /// Held while a thread works with the object.
  class Hold {
   public:
    /// Throws RuntimeError in Python when another thread works with the object.
    Hold(InUse& object, const char* what) : object_(object) {
      if (object_.taken_.exchange(true)) {
        throw std::runtime_error(std::string(what) + " is in use by another thread: make a copy for each thread");
      }
    }
    ~Hold() { object_.taken_ = false; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    InUse& object_;
  };

 private:
  std::atomic<bool> taken_ = false;
};

}  // namespace bellwether::python
