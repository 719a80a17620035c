#pragma once

#include <cstddef>

/// Products of a matrix and a vector, with the rows of A `stride` apart.
namespace bellwether::kernels {

/// y_i += s A_i.x for any n; a product has the bits of kernels::dot
void add_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, double s, const double* x,
                double* y);

/// In these three, n is a multiple of eight: between the true number of columns and n, A and x must be finite, and one
/// of them zero.

/// y += sum_i x_i A_i
void add_transposed_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x,
                           double* y);

/// y = A x and y = A^T x, and in `sizes` the same sums with the magnitudes of all terms: rounding errors are bounded by
/// a multiple of these.
void matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x, double* y,
                       double* sizes);
void transposed_matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x,
                                  double* y, double* sizes);

/// q = A^T d and u = A e for an n x n matrix of any n, reading A once; the entries of u are `u_stride` apart.
void multiply_both_sides(std::size_t n, const double* A, std::size_t stride, const double* d, const double* e,
                         double* q, double* u, std::size_t u_stride);

}  // namespace bellwether::kernels
