#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <bellwether/core/error.h>

namespace bellwether {

/// Changes the size of a block of memory pages from `bytes` to `wanted`, and returns where it now begins: its contents
/// are kept, what is new is zero. Pages are moved by changing their addresses, not by copying (on Linux), and take
/// memory only when they are written to. A block of size 0 is a null pointer. Throws std::bad_alloc, and changes
/// nothing, if the system refuses. Pages do not come from the heap, so tools that count heap allocations do not see
/// them.
std::byte* resize_pages(std::byte* begin, std::size_t bytes, std::size_t wanted);

/// A vector that grows without the heap and without copying, up to a limit. Only elements that were appended take
/// memory, here and in copies; appending may move all of them to other addresses. For plain numbers and structures of
/// them.
template <class T>
class GrowingVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  /// At most `limit` elements.
  explicit GrowingVector(std::size_t limit = std::numeric_limits<std::size_t>::max() / (2 * sizeof(T)))
      : limit_(limit) {}
  GrowingVector(const GrowingVector& other) : GrowingVector(other.limit_) {
    if (other.size_ > 0) std::memcpy(append(other.size_), other.data_, other.size_ * sizeof(T));
  }
  GrowingVector& operator=(const GrowingVector& other) {
    if (this != &other) *this = GrowingVector(other);
    return *this;
  }
  GrowingVector(GrowingVector&& other) noexcept { swap(other); }
  GrowingVector& operator=(GrowingVector&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingVector() { resize_pages(reinterpret_cast<std::byte*>(data_), bytes_, 0); }

  std::size_t size() const { return size_; }
  std::size_t limit() const { return limit_; }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  /// Makes room for `count` more elements; the vector must not exceed its limit.
  void reserve_more(std::size_t count) {
    assert(count <= limit_ - size_);
    const std::size_t needed = (size_ + count) * sizeof(T);
    if (needed > bytes_) grow(needed);
  }

  /// Appends `count` elements, which the vector must have room for within its limit. They are zero
  /// unless a longer state was held before.
  T* append(std::size_t count) {
    reserve_more(count);
    T* first = data_ + size_;
    size_ += count;
    return first;
  }
  void push_back(const T& value) { *append(1) = value; }

  /// Removes elements behind the first `size`. Memory is kept.
  void shrink(std::size_t size) { size_ = std::min(size, size_); }
  void clear() { shrink(0); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    std::uint64_t size = self.size_;
    visit(size);
    visit.expect(size, sizeof(T));
    if constexpr (!std::is_const_v<Self>) {
      if (size > self.limit_) throw InvalidArgument("a saved state is larger than what is to hold it");
      if (size > self.size_) self.reserve_more(size - self.size_);
      self.size_ = size;
    }
    using Byte = std::conditional_t<std::is_const_v<Self>, const std::uint8_t, std::uint8_t>;
    visit(std::span<Byte>(reinterpret_cast<Byte*>(self.data_), size * sizeof(T)));
  }

 private:
  /// By a half at least, so that the system is asked rarely.
  void grow(std::size_t needed) {
    constexpr std::size_t page_group = 1U << 16U;
    const std::size_t wanted = (std::max(needed, bytes_ + bytes_ / 2) + page_group - 1) / page_group * page_group;
    data_ = reinterpret_cast<T*>(resize_pages(reinterpret_cast<std::byte*>(data_), bytes_, wanted));
    bytes_ = wanted;
  }
  void swap(GrowingVector& other) noexcept {
    std::swap(limit_, other.limit_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
  }

  std::size_t limit_ = 0;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;  // of memory
  T* data_ = nullptr;
};

}  // namespace bellwether
