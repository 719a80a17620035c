#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace bellwether {

/// A vector with a fixed capacity: growing up to it never allocates, and copies keep the capacity. Memory beyond the
/// size is only reserved: the system provides pages when they are first written, so room for a million rows costs
/// nothing until they are used.
template <class T>
class CappedVector {
 public:
  explicit CappedVector(std::size_t capacity) { numbers_.reserve(capacity); }
  ~CappedVector() = default;
  CappedVector(const CappedVector& other) {
    numbers_.reserve(other.capacity());
    numbers_ = other.numbers_;
  }
  CappedVector& operator=(const CappedVector& other) {
    numbers_.reserve(other.capacity());
    numbers_ = other.numbers_;
    return *this;
  }
  CappedVector(CappedVector&&) noexcept = default;
  CappedVector& operator=(CappedVector&&) noexcept = default;

  std::size_t size() const { return numbers_.size(); }
  std::size_t capacity() const { return numbers_.capacity(); }

  /// New entries are zero. The size must not exceed the capacity.
  void resize(std::size_t size) { numbers_.resize(size); }
  void push_back(const T& value) { numbers_.push_back(value); }
  void clear() { numbers_.clear(); }

  T* data() { return numbers_.data(); }
  const T* data() const { return numbers_.data(); }
  T& operator[](std::size_t i) { return numbers_[i]; }
  const T& operator[](std::size_t i) const { return numbers_[i]; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    std::uint64_t size = self.size();
    visit(size);
    visit.require(size <= self.capacity());
    if constexpr (!std::is_const_v<Self>) self.resize(size);
    visit(std::span(self.data(), size));
  }

 private:
  std::vector<T> numbers_;
};

}  // namespace bellwether
