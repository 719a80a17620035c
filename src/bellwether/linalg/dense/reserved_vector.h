#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include <bellwether/core/error.h>

namespace bellwether {

/// Reserves address space for `bytes` bytes, which the system backs by memory only where it is written to. Throws
/// std::bad_alloc when there is not enough address space. It does not come from the heap, so tools that count heap
/// allocations do not see it.
std::byte* reserve_address_space(std::size_t bytes);
void release_address_space(std::byte* begin, std::size_t bytes) noexcept;

/// A vector that never moves, with room for more than the machine may have memory for: appending does not allocate, and
/// only elements that were appended take memory, here and in copies. For plain numbers and structures of them.
template <class T>
class ReservedVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit ReservedVector(std::size_t capacity)
      : capacity_(capacity), data_(reinterpret_cast<T*>(reserve_address_space(capacity * sizeof(T)))) {}
  ReservedVector(const ReservedVector& other) : ReservedVector(other.capacity_) { assign(other); }
  ReservedVector& operator=(const ReservedVector& other) {
    if (this != &other) *this = ReservedVector(other);
    return *this;
  }
  ReservedVector(ReservedVector&& other) noexcept { swap(other); }
  ReservedVector& operator=(ReservedVector&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ReservedVector() { release_address_space(reinterpret_cast<std::byte*>(data_), capacity_ * sizeof(T)); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t room() const { return capacity_ - size_; }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  /// Appends `count` <= room() elements. They are zero unless the memory was used before.
  T* append(std::size_t count) {
    assert(count <= room());
    T* first = data_ + size_;
    size_ += count;
    return first;
  }
  void push_back(const T& value) { *append(1) = value; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    std::uint64_t size = self.size_;
    visit(size);
    if constexpr (!std::is_const_v<Self>) {
      if (size > self.capacity_) throw InvalidArgument("a saved state is larger than what is to hold it");
      self.size_ = size;
    }
    using Byte = std::conditional_t<std::is_const_v<Self>, const std::uint8_t, std::uint8_t>;
    visit(std::span<Byte>(reinterpret_cast<Byte*>(self.data_), size * sizeof(T)));
  }

 private:
  void assign(const ReservedVector& other) {
    size_ = other.size_;
    if (size_ > 0) std::memcpy(data_, other.data_, size_ * sizeof(T));
  }
  void swap(ReservedVector& other) noexcept {
    std::swap(capacity_, other.capacity_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

}  // namespace bellwether
