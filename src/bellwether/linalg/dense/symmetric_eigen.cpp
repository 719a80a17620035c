#include <bellwether/linalg/dense/symmetric_eigen.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// A -= v w^T + w v^T for the lower right corner from `from` on.
BELLWETHER_SIMD void subtract_both(std::size_t n, std::size_t from, double* __restrict A, std::size_t stride,
                                   const double* __restrict v, const double* __restrict w) {
  for (std::size_t i = from; i < n; ++i) {
    double* row = A + i * stride;
    for (std::size_t j = from; j < n; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

/// A = H_0 .. H_{n-3} T (H_0 .. H_{n-3})^T with reflections H_k = I - beta_k v_k v_k^T. T goes to `diagonal` and
/// `off` (off[k] couples k and k+1), v_k to row k of A right of the diagonal, beta_k to A_kk.
void tridiagonalise(std::size_t n, double* A, std::size_t stride, double* diagonal, double* off, double* w) {
  for (std::size_t k = 0; k < n; ++k) {
    double* row = A + k * stride;
    diagonal[k] = row[k];
    row[k] = 0;
    if (k + 1 == n) break;
    const std::size_t m = n - k - 1;
    double* v = row + k + 1;
    double largest = 0;
    for (std::size_t j = 0; j < m; ++j) largest = std::max(largest, std::abs(v[j]));
    if (m == 1 || largest == 0) {
      off[k] = v[0];
      continue;
    }
    kernels::scale(1 / largest, v, m);
    const double alpha = -std::copysign(std::sqrt(kernels::dot(v, v, m)), v[0]);
    off[k] = alpha * largest;
    v[0] -= alpha;
    const double beta = -1 / (alpha * v[0]);
    // w = beta A v - (beta^2 / 2) (v.A v) v, then A -= v w^T + w v^T
    for (std::size_t i = 0; i < m; ++i) w[k + 1 + i] = beta * kernels::dot(A + (k + 1 + i) * stride + k + 1, v, m);
    kernels::axpy(-0.5 * beta * kernels::dot(w + k + 1, v, m), v, w + k + 1, m);
    subtract_both(n, k + 1, A, stride, row, w);
    row[k] = beta;
  }
}

/// Replaces the reflections stored in A by the rows of Q = (H_0 .. H_{n-3})^T, so that A = Q^T T Q.
void assemble(std::size_t n, double* A, std::size_t stride, double* v) {
  for (std::size_t k = n; k-- > 0;) {
    double* row = A + k * stride;
    const double beta = row[k];
    const std::size_t m = n - k - 1;
    std::copy_n(row + k + 1, m, v);
    std::fill(row, row + n, 0.0);
    row[k] = 1;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* q = A + i * stride;
      q[k] = 0;
      if (beta != 0) kernels::axpy(-beta * kernels::dot(q + k + 1, v, m), v, q + k + 1, m);
    }
  }
}

/// Implicit QL with Wilkinson's shift on the tridiagonal matrix; every rotation is applied to two rows of Q.
bool diagonalise(std::size_t n, double* diagonal, double* off, double* Q, std::size_t stride) {
  for (std::size_t l = 0; l < n; ++l) {
    for (int iteration = 0;; ++iteration) {
      std::size_t m = l;
      for (; m + 1 < n; ++m) {
        const double size = std::abs(diagonal[m]) + std::abs(diagonal[m + 1]);
        if (std::abs(off[m]) <= 1e-16 * size) break;
      }
      if (m == l) break;
      if (iteration == 50) return false;
      double g = (diagonal[l + 1] - diagonal[l]) / (2 * off[l]);
      double r = std::sqrt(g * g + 1);
      g = diagonal[m] - diagonal[l] + off[l] / (g + std::copysign(r, g));
      double s = 1;
      double c = 1;
      double p = 0;
      bool split = false;
      for (std::size_t i = m; i-- > l;) {
        const double f = s * off[i];
        const double b = c * off[i];
        r = std::sqrt(f * f + g * g);
        off[i + 1] = r;
        if (r == 0) {
          diagonal[i + 1] -= p;
          off[m] = 0;
          split = true;
          break;
        }
        s = f / r;
        c = g / r;
        g = diagonal[i + 1] - p;
        r = (diagonal[i] - g) * s + 2 * c * b;
        p = s * r;
        diagonal[i + 1] = g + p;
        g = c * r - b;
        kernels::rotate(c, s, Q + (i + 1) * stride, Q + i * stride, n);
      }
      if (split) continue;
      diagonal[l] -= p;
      off[l] = g;
      off[m] = 0;
    }
  }
  return true;
}

}  // namespace

bool symmetric_eigen(std::size_t n, double* A, std::size_t stride, double* values, double* work) {
  // Scaled to about one, so that squares neither overflow nor vanish.
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(A[i * stride + j]));
  }
  const double unit = largest > 0 ? largest : 1;
  for (std::size_t i = 0; i < n; ++i) kernels::scale(1 / unit, A + i * stride, n);
  double* off = work;
  std::fill(off, off + n, 0.0);
  tridiagonalise(n, A, stride, values, off, work + n);
  assemble(n, A, stride, work + n);
  if (!diagonalise(n, values, off, A, stride)) return false;
  kernels::scale(unit, values, n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto next = static_cast<std::size_t>(std::max_element(values + i, values + n) - values);
    if (next == i) continue;
    std::swap(values[i], values[next]);
    std::swap_ranges(A + i * stride, A + i * stride + n, A + next * stride);
  }
  return true;
}

}  // namespace bellwether
