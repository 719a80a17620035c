#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bellwether {

/// Memory from the start of a cache line. A register of AVX-512 is a cache line long, so one that is read from anywhere
/// else costs two: loops over a large matrix take up to twice as long. Rows of padded(n) numbers (linalg/simd/eight.h)
/// all start a line.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }

  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

using AlignedVector = std::vector<double, AlignedAllocator<double>>;

}  // namespace bellwether
