#pragma once

#include <algorithm>
#include <cstddef>

#include <bellwether/linalg/simd/gemm.h>

namespace bellwether {

/// out = W (3 I - W^T W) / 2 for W with nearly orthonormal columns: their distance from orthonormality is squared, so
/// that 1e-8 becomes rounding. Rows of W and `out` are `stride` apart; `room` holds columns x stride numbers. O(rows
/// columns^2).
inline void orthonormalise(std::size_t rows, std::size_t columns, const double* W, double* out, std::size_t stride,
                           double* room) {
  std::fill_n(room, columns * stride, 0.0);
  for (std::size_t i = 0; i < columns; ++i) room[i * stride + i] = 1.5;
  kernels::add_product(columns, columns, rows, -0.5, {W, 1, stride}, {W, stride}, room, stride);
  std::fill_n(out, rows * stride, 0.0);
  kernels::add_product(rows, columns, columns, 1.0, {W, stride}, {room, stride}, out, stride);
}

}  // namespace bellwether
