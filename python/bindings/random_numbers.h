#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>

#include <nanobind/nanobind.h>

#include <bellwether/core/support/rng.h>

namespace bellwether::python {

namespace nb = nanobind;

/// `Rng` in Python: random numbers of its own, or those of the library, lent for the time of one call.
class RandomNumbers {
 public:
  RandomNumbers(std::uint64_t seed, std::uint64_t run) : own_(std::in_place, seed, run) {}
  explicit RandomNumbers(Rng& lent) : lent_(&lent) {}

  /// Throws RuntimeError in Python when it was lent, and the call has ended.
  Rng& operator*() {
    if (own_) return *own_;
    if (lent_ == nullptr) throw std::runtime_error("this Rng belongs to a call that has ended: do not keep it");
    return *lent_;
  }

  void take_back() { lent_ = nullptr; }

 private:
  std::optional<Rng> own_;
  Rng* lent_ = nullptr;
};

/// Lends random numbers to Python. Needs Python's lock.
class LentNumbers {
 public:
  explicit LentNumbers(Rng& rng) : object_(nb::cast(RandomNumbers(rng))) {}
  ~LentNumbers() { nb::cast<RandomNumbers&>(object_).take_back(); }
  LentNumbers(const LentNumbers&) = delete;
  LentNumbers& operator=(const LentNumbers&) = delete;

  const nb::object& object() const { return object_; }

 private:
  nb::object object_;
};

}  // namespace bellwether::python
