#include <bellwether/linalg/simd/kernels.h>

#include <cmath>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/exp.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::kernels {

BELLWETHER_SIMD double dot(const double* a, const double* b, std::size_t n) {
  constexpr std::size_t parts = 8;
  double part[parts] = {};
  std::size_t j = 0;
  for (; j + parts <= n; j += parts) {
    for (std::size_t i = 0; i < parts; ++i) part[i] += a[j + i] * b[j + i];
  }
  for (std::size_t i = 0; j < n; ++i, ++j) part[i] += a[j] * b[j];
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

BELLWETHER_SIMD void axpy(double a, const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] += a * x[j];
}

BELLWETHER_SIMD void add_rows(double a, SparseView x, const double* A, std::size_t stride, double* __restrict y,
                              std::size_t n) {
  std::size_t k = 0;
  for (; k + 4 <= x.size; k += 4) {
    const double v[] = {a * x.values[k], a * x.values[k + 1], a * x.values[k + 2], a * x.values[k + 3]};
    const double* const rows[] = {A + x.indices[k] * stride, A + x.indices[k + 1] * stride,
                                  A + x.indices[k + 2] * stride, A + x.indices[k + 3] * stride};
    for (std::size_t j = 0; j < n; ++j) {
      y[j] = (((y[j] + v[0] * rows[0][j]) + v[1] * rows[1][j]) + v[2] * rows[2][j]) + v[3] * rows[3][j];
    }
  }
  for (; k < x.size; ++k) axpy(a * x.values[k], A + x.indices[k] * stride, y, n);
}

BELLWETHER_SIMD void scale(double a, double* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] *= a;
}

BELLWETHER_SIMD void scale_axpy(double s, double a, const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] = s * y[j] + a * x[j];
}

BELLWETHER_SIMD void multiply(const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] *= x[j];
}

BELLWETHER_SIMD void rotate(double c, double s, double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    const double a = x[j];
    const double b = y[j];
    x[j] = c * a + s * b;
    y[j] = c * b - s * a;
  }
}

// By blocks: only the block that holds the largest is searched number by number.
BELLWETHER_SIMD std::size_t largest(const double* v, std::size_t n) {
  constexpr std::size_t block = 8 * Eight::width;
  std::size_t index = 0;
  double most = -1;
  std::size_t j = 0;
  for (; j + block <= n; j += block) {
    Eight lanes = magnitude(Eight::load(v + j));
    for (std::size_t i = Eight::width; i < block; i += Eight::width) {
      const Eight next = magnitude(Eight::load(v + j + i));
      lanes = choose(lanes < next, next, lanes);
    }
    double in_block = lanes[0];
    for (std::size_t l = 1; l < Eight::width; ++l) in_block = in_block < lanes[l] ? lanes[l] : in_block;
    if (in_block > most) {
      most = in_block;
      index = j;
    }
  }
  while (most >= 0 && std::abs(v[index]) < most) ++index;
  for (; j < n; ++j) {
    if (std::abs(v[j]) > most) {
      most = std::abs(v[j]);
      index = j;
    }
  }
  return index;
}

BELLWETHER_SIMD void exp(double* y, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) y[j] = portable_exp(y[j]);
}

}  // namespace bellwether::kernels
