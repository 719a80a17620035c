#pragma once

#include <utility>

#include <bellwether/data/arrow/arrow_abi.h>

namespace bellwether {

/// Owns an ArrowSchema, ArrowArray or ArrowArrayStream, and calls its `release` in the end. Moving one is to copy its
/// bytes and to forget the old one, as the standard says.
template <class T>
class ArrowHandle {
 public:
  ArrowHandle() = default;

  /// Takes it over.
  explicit ArrowHandle(T& other) : value_(std::exchange(other, T{})) {}

  ArrowHandle(ArrowHandle&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  ArrowHandle& operator=(ArrowHandle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ArrowHandle(const ArrowHandle&) = delete;
  ArrowHandle& operator=(const ArrowHandle&) = delete;
  ~ArrowHandle() {
    if (value_.release != nullptr) value_.release(&value_);
  }

  /// Whether it holds something that has not been released.
  explicit operator bool() const { return value_.release != nullptr; }

  T* get() { return &value_; }
  const T& operator*() const { return value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_{};
};

}  // namespace bellwether
