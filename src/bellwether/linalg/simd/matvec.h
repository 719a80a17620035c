#pragma once

#include <cstddef>

/// Products of a matrix and a vector, A by rows that are `stride` apart and n a multiple of eight: what lies between
/// the true number of columns and n has to be finite in A and in x, and one of them zero.
namespace bellwether::kernels {

/// y_i += s A_i.x
void add_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, double s, const double* x,
                double* y);

/// y += sum_i x_i A_i
void add_transposed_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x,
                           double* y);

/// y = A x and y = A^T x, and in `sizes` the same sums with the sizes of all terms instead: what rounding may amount
/// to is a share of these.
void matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x, double* y,
                       double* sizes);
void transposed_matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride, const double* x,
                                  double* y, double* sizes);

}  // namespace bellwether::kernels
