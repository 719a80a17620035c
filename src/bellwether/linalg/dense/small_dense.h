#pragma once

#include <cstddef>

/// Small dense matrices, changed in place, with rows `stride` apart. Nothing is allocated.
namespace bellwether {

/// A = A^-1 by Gauss-Jordan elimination with row exchanges; `order` holds n numbers. False when a pivot falls below
/// 1e-14 of the largest entry; A is then destroyed.
bool invert(std::size_t n, double* A, std::size_t stride, std::size_t* order);

/// A = R^-1 with A = R^T R and R upper triangular (Cholesky); A is symmetric. Returns the smallest pivot as a share of
/// its diagonal entry, which tells how far from dependent the columns behind a Gram matrix are; or 0 as soon as a share
/// is below `smallest`, and A is then destroyed.
double inverse_cholesky(std::size_t n, double* A, std::size_t stride, double smallest);

}  // namespace bellwether
