#include <bellwether/linalg/simd/matvec.h>

#include <algorithm>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::kernels {
namespace {

/// q += sum_i d_i P_i. and sums_i += P_i. * e for Rows rows of P and `count` of their columns, eight at most.
template <std::size_t Rows>
BELLWETHER_INLINE void multiply_columns(std::size_t count, const double* P, std::size_t row, const Eight* d,
                                        const double* e, double* q, Eight* sums) {
  const Eight ej = Eight::load(e, count);
  Eight qj = Eight::load(q, count);
  Eight p[Rows];
  for (std::size_t i = 0; i < Rows; ++i) p[i] = Eight::load(P + i * row, count);
  for (std::size_t i = 0; i < Rows; ++i) sums[i] = sums[i] + p[i] * ej;
  for (std::size_t i = 0; i < Rows; ++i) qj = qj + d[i] * p[i];
  qj.store(q, count);
}

/// q += sum_i d_i P_i. and u_i = P_i.e for Rows rows of P.
template <std::size_t Rows>
BELLWETHER_INLINE void multiply_rows(std::size_t n, const double* P, std::size_t row, const double* d, const double* e,
                                     double* q, double* u, std::size_t u_stride) {
  Eight sums[Rows] = {};
  Eight spread[Rows];
  for (std::size_t i = 0; i < Rows; ++i) spread[i] = same<Eight>(d[i]);
  std::size_t j = 0;
  for (; j + Eight::width <= n; j += Eight::width) {
    multiply_columns<Rows>(Eight::width, P + j, row, spread, e + j, q + j, sums);
  }
  if (j < n) multiply_columns<Rows>(n - j, P + j, row, spread, e + j, q + j, sums);
  for (std::size_t i = 0; i < Rows; ++i) u[i * u_stride] = sums[i].sum();
}

/// sums_i += A_i. * x for Rows rows of A and `count` of their columns, eight at most.
template <std::size_t Rows>
BELLWETHER_INLINE void add_columns(std::size_t count, const double* A, std::size_t stride, const double* x,
                                   Eight* sums) {
  const Eight part = Eight::load(x, count);
  for (std::size_t i = 0; i < Rows; ++i) sums[i] = sums[i] + part * Eight::load(A + i * stride, count);
}

}  // namespace

// Four rows at a time, so that x or y is read once for all four.

BELLWETHER_SIMD void add_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, double s,
                                const double* x, double* y) {
  const std::size_t whole = n / Eight::width * Eight::width;
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    Eight sums[4] = {};
    std::size_t j = 0;
    for (; j < whole; j += Eight::width) add_columns<4>(Eight::width, A + i * stride + j, stride, x + j, sums);
    if (j < n) add_columns<4>(n - j, A + i * stride + j, stride, x + j, sums);
    for (std::size_t k = 0; k < 4; ++k) y[i + k] += s * sums[k].sum();
  }
  for (; i < rows; ++i) {
    Eight sum[1] = {};
    std::size_t j = 0;
    for (; j < whole; j += Eight::width) add_columns<1>(Eight::width, A + i * stride + j, stride, x + j, sum);
    if (j < n) add_columns<1>(n - j, A + i * stride + j, stride, x + j, sum);
    y[i] += s * sum[0].sum();
  }
}

BELLWETHER_SIMD void add_transposed_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride,
                                           const double* x, double* y) {
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    const double* row = A + i * stride;
    for (std::size_t j = 0; j < n; j += Eight::width) {
      const Eight first = x[i] * Eight::load(row + j) + x[i + 1] * Eight::load(row + stride + j);
      const Eight second = x[i + 2] * Eight::load(row + 2 * stride + j) + x[i + 3] * Eight::load(row + 3 * stride + j);
      (Eight::load(y + j) + (first + second)).store(y + j);
    }
  }
  for (; i < rows; ++i) {
    for (std::size_t j = 0; j < n; j += Eight::width) {
      (Eight::load(y + j) + x[i] * Eight::load(A + i * stride + j)).store(y + j);
    }
  }
}

BELLWETHER_SIMD void matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride,
                                       const double* x, double* y, double* sizes) {
  for (std::size_t i = 0; i < rows; ++i) {
    Eight sum{}, size{};
    for (std::size_t j = 0; j < n; j += Eight::width) {
      const Eight term = Eight::load(x + j) * Eight::load(A + i * stride + j);
      sum = sum + term;
      size = size + magnitude(term);
    }
    y[i] = sum.sum();
    sizes[i] = size.sum();
  }
}

BELLWETHER_SIMD void transposed_matvec_with_sizes(std::size_t rows, std::size_t n, const double* A, std::size_t stride,
                                                  const double* x, double* y, double* sizes) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight sum{}, size{};
    for (std::size_t i = 0; i < rows; ++i) {
      const Eight term = x[i] * Eight::load(A + i * stride + j);
      sum = sum + term;
      size = size + magnitude(term);
    }
    sum.store(y + j);
    size.store(sizes + j);
  }
}

BELLWETHER_SIMD void multiply_both_sides(std::size_t n, const double* P, std::size_t row, const double* d,
                                         const double* e, double* q, double* u, std::size_t u_stride) {
  constexpr std::size_t rows = 4;
  std::fill_n(q, n, 0.0);
  std::size_t i = 0;
  for (; i + rows <= n; i += rows) multiply_rows<rows>(n, P + i * row, row, d + i, e, q, u + i * u_stride, u_stride);
  for (; i < n; ++i) multiply_rows<1>(n, P + i * row, row, d + i, e, q, u + i * u_stride, u_stride);
}

}  // namespace bellwether::kernels
