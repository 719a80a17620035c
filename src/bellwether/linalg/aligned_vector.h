#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bellwether {

/// Memory from the start of a cache line. A register of AVX-512 is a cache line long, so one that is read from anywhere
/// else costs two: loops over a large matrix take up to twice as long.
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

/// The smallest row length from n on with which every row of a matrix starts a cache line.
constexpr std::size_t aligned_row(std::size_t n) { return (n + 7) / 8 * 8; }

}  // namespace bellwether
