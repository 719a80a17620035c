#include <bellwether/linalg/dense/tall_matrix.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

/// y += sum_j x_j M_j, four rows at a time, so that y is read and written a quarter as often.
BELLWETHER_SIMD void add_rows(const double* __restrict m, std::size_t columns, const double* x, std::size_t rows,
                              double* __restrict y) {
  std::size_t j = 0;
  for (; j + 4 <= rows; j += 4) {
    const double* a = m + j * columns;
    const double* b = a + columns;
    const double* c = b + columns;
    const double* d = c + columns;
    for (std::size_t i = 0; i < columns; ++i) {
      y[i] += (x[j] * a[i] + x[j + 1] * b[i]) + (x[j + 2] * c[i] + x[j + 3] * d[i]);
    }
  }
  for (; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) y[i] += x[j] * m[j * columns + i];
  }
}

}  // namespace

void TallMatrix::transposed_times(const DenseView& x, double* y) const {
  for (std::size_t i = 0; i < columns_; ++i) y[i] = 0;
  add_rows(m_.data(), columns_, x.values, x.size, y);
}

void TallMatrix::times(const double* z, double* y) const {
  for (std::size_t j = 0; j < rows_; ++j) y[j] = kernels::dot(row(j), z, columns_);
}

}  // namespace bellwether
