#pragma once

#include <cstddef>

namespace bellwether {

/// Eigenvalues and eigenvectors of a symmetric matrix, A = Q^T diag(values) Q, without allocating: learners decompose
/// matrices whose size changes while they learn.
///
/// A is n x n with rows `stride` apart and is overwritten by Q, whose *rows* are the eigenvectors; the values are in
/// descending order. `work` holds 3 n numbers. Householder reduction to tridiagonal form and the implicit QL iteration,
/// O(n^3). False when an eigenvalue needs more than 50 iterations, which happens only if A is not finite.
bool symmetric_eigen(std::size_t n, double* A, std::size_t stride, double* values, double* work);

}  // namespace bellwether
