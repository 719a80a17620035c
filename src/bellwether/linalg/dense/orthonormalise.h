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
  kernels::set_gram(columns, rows, -0.5, {W, 1, stride}, room, stride);
  for (std::size_t i = 0; i < columns; ++i) room[i * stride + i] += 1.5;
  kernels::set_product(rows, columns, columns, 1.0, {W, stride}, {room, stride}, out, stride);
  for (std::size_t i = 0; i < rows; ++i) std::fill(out + i * stride + columns, out + (i + 1) * stride, 0.0);
}

}  // namespace bellwether
