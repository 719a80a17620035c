#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <bellwether/core/support/parallel.h>

namespace bellwether::python {

namespace nb = nanobind;

/// Connects a long computation, which runs without Python's lock, with Python: it shows progress and notices Ctrl-C.
/// Any thread may tell progress; Python is called in the thread that began the computation alone.
class Watch {
 public:
  /// `progress` is None, or is called with the share that is done and what is being done.
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}

  /// Names what comes next.
  void begin(std::string what) {
    what_ = std::move(what);
    share_ = 0;
  }

  /// For `Workers::stopped` and the like. Throws what a signal handler of Python raises, KeyboardInterrupt for one, or
  /// what `progress` raises.
  std::function<bool()> stopped() {
    return [this] {
      look();
      return false;
    };
  }

  /// Takes note of the share that is done.
  Progress told() {
    return [this](double share) {
      share_ = share;
      look();
    };
  }

 private:
  using Clock = std::chrono::steady_clock;

  void look() {
    constexpr auto every = std::chrono::milliseconds(50);
    if (std::this_thread::get_id() != caller_ || Clock::now() - last_ < every) return;
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress_.is_none()) progress_(share_.load(), what_);
    last_ = Clock::now();
  }

  nb::object progress_;
  std::string what_;
  std::atomic<double> share_ = 0;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point last_ = Clock::now();
};

}  // namespace bellwether::python
