#pragma once

#include <cstddef>

namespace bellwether::kernels {

/// A matrix that is only read, with any strides: entry (i, p) is data[i * row + p * column]. Its transpose has the
/// strides swapped.
struct Strided {
  const double* data;
  std::size_t row;
  std::size_t column = 1;
};

/// C += a A B, or C = a A B, with A m x k, B k x n and C m x n; rows of C are contiguous. Every instruction set gives
/// equal bits: entry (i, j) is C_ij (or zero) + a times the sum over p in order, in pieces of 256.
///
/// For the large products of learners: rank-m updates of an inverse, rotations of a basis. It is fastest when rows of B
/// and C are padded to a multiple of 8. C must not overlap A or B. Allocates nothing.
void product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C, std::size_t c_row,
             bool adds);

inline void add_product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C,
                        std::size_t c_row) {
  product(m, n, k, a, A, B, C, c_row, true);
}
inline void set_product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C,
                        std::size_t c_row) {
  product(m, n, k, a, A, B, C, c_row, false);
}

/// `columns` rounded up to a multiple of four. The last four columns of a product take half the time of eight, and
/// fewer than four take longer.
constexpr std::size_t fours(std::size_t columns) { return (columns + 3) / 4 * 4; }

/// G = a A A^T, symmetric, for an A with m rows of k numbers; computes little more than half of it.
void set_gram(std::size_t m, std::size_t k, double a, Strided A, double* G, std::size_t g_row);

}  // namespace bellwether::kernels
