#include <bellwether/linalg/simd/matvec.h>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::kernels {

// Four rows at a time: x, or y, is then read once for all four.

BELLWETHER_SIMD void add_matvec(std::size_t rows, std::size_t n, const double* A, std::size_t stride, double s,
                                const double* x, double* y) {
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    const double* row = A + i * stride;
    Eight a{}, b{}, c{}, d{};
    for (std::size_t j = 0; j < n; j += Eight::width) {
      const Eight part = Eight::load(x + j);
      a = a + part * Eight::load(row + j);
      b = b + part * Eight::load(row + stride + j);
      c = c + part * Eight::load(row + 2 * stride + j);
      d = d + part * Eight::load(row + 3 * stride + j);
    }
    y[i] += s * a.sum();
    y[i + 1] += s * b.sum();
    y[i + 2] += s * c.sum();
    y[i + 3] += s * d.sum();
  }
  for (; i < rows; ++i) {
    Eight a{};
    for (std::size_t j = 0; j < n; j += Eight::width) a = a + Eight::load(x + j) * Eight::load(A + i * stride + j);
    y[i] += s * a.sum();
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

}  // namespace bellwether::kernels
