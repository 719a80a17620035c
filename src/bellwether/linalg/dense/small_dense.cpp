#include <bellwether/linalg/dense/small_dense.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// Eliminates column k from every other row; the pivot row has been divided by its pivot.
BELLWETHER_SIMD void eliminate(std::size_t n, std::size_t k, double* __restrict A, std::size_t stride) {
  const double* pivot_row = A + k * stride;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == k) continue;
    double* row = A + i * stride;
    const double a = row[k];
    row[k] = 0;
    for (std::size_t j = 0; j < n; ++j) row[j] -= a * pivot_row[j];
  }
}

}  // namespace

bool invert(std::size_t n, double* A, std::size_t stride, std::size_t* order) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(A[i * stride + j]));
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(A[i * stride + k]) > std::abs(A[p * stride + k])) p = i;
    }
    const double pivot = A[p * stride + k];
    if (!(std::abs(pivot) > 1e-14 * largest)) return false;
    order[k] = p;
    if (p != k) std::swap_ranges(A + k * stride, A + k * stride + n, A + p * stride);
    double* row = A + k * stride;
    row[k] = 1;
    for (std::size_t j = 0; j < n; ++j) row[j] /= pivot;
    eliminate(n, k, A, stride);
  }
  // Exchanged rows of A are exchanged columns of the inverse, in the opposite order.
  for (std::size_t k = n; k-- > 0;) {
    if (order[k] == k) continue;
    for (std::size_t i = 0; i < n; ++i) std::swap(A[i * stride + k], A[i * stride + order[k]]);
  }
  return true;
}

double inverse_cholesky(std::size_t n, double* A, std::size_t stride, double smallest) {
  double least = 1;
  for (std::size_t k = 0; k < n; ++k) {
    double* row = A + k * stride;
    const double before = row[k];
    // Row k of R: R_kk R_k = A_k - sum_{i<k} R_ik R_i.
    for (std::size_t i = 0; i < k; ++i) kernels::axpy(-A[i * stride + k], A + i * stride + k, row + k, n - k);
    const double share = before > 0 ? row[k] / before : 0.0;
    if (!(share > smallest)) return 0;
    least = std::min(least, share);
    const double root = std::sqrt(row[k]);
    for (std::size_t j = k; j < n; ++j) row[j] /= root;
  }
  // R^-1 row by row from the last: row k of R X = I gives R_kk x_k = i_k - sum_{i>k} R_ki x_i.
  for (std::size_t k = n; k-- > 0;) {
    double* row = A + k * stride;
    const double diagonal = row[k];
    std::fill(row, row + k, 0.0);
    row[k] = 1;
    for (std::size_t i = n; i-- > k + 1;) {
      const double a = row[i];
      row[i] = 0;
      kernels::axpy(-a, A + i * stride + i, row + i, n - i);
    }
    for (std::size_t j = k; j < n; ++j) row[j] /= diagonal;
  }
  return least;
}

}  // namespace bellwether
