#pragma once

#include <cstddef>

#include <bellwether/core/features.h>
#include <bellwether/linalg/simd/eight.h>

/// The dense loops of kernels.h for eight vectors side by side, one in each lane. In every lane the sums have the
/// order, and so the bits, of the loop for one vector. They are inlined into the function that calls them, which must
/// be marked BELLWETHER_SIMD. A factor or vector that all eight share is of type double.
namespace bellwether::kernels {

/// sum a_j b_j
BELLWETHER_INLINE Eight dot(const double* a, const Eight* b, std::size_t n) {
  Eight part[Eight::width] = {};
  std::size_t j = 0;
  for (; j + Eight::width <= n; j += Eight::width) {
    for (std::size_t i = 0; i < Eight::width; ++i) part[i] += a[j + i] * b[j + i];
  }
  for (std::size_t i = 0; i < Eight::width; ++i) {
    if (j + i < n) part[i] += a[j + i] * b[j + i];
  }
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// y += a x
template <class X>
BELLWETHER_INLINE void axpy(const Eight& a, const X* x, Eight* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += a * x[j];
}

/// y *= a
template <class A>
BELLWETHER_INLINE void scale(const A& a, Eight* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] *= a;
}

/// y = s y + a x
BELLWETHER_INLINE void scale_axpy(double s, const Eight& a, const double* x, Eight* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] = s * y[j] + a * x[j];
}

BELLWETHER_INLINE Eight dot(DenseView x, const Eight* w) { return dot(x.values, w, x.size); }
BELLWETHER_INLINE void axpy(const Eight& a, DenseView x, Eight* y) { axpy(a, x.values, y, x.size); }

}  // namespace bellwether::kernels
