#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bellwether {

/// Memory that starts at a cache line. A register of AVX-512 is as long as a cache line, so that reading one from
/// anywhere else touches two lines, and loops over a large matrix take up to twice as long. With padded(n) numbers
/// (linalg/simd/eight.h) per row, every row starts at a cache line.
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
