#include <bellwether/linalg/gemm.h>

#include <algorithm>
#include <cstring>

#include <bellwether/linalg/eight.h>
#include <bellwether/linalg/simd.h>

namespace bellwether::kernels {
namespace {

constexpr std::size_t width = Eight::width;  // columns of a tile
constexpr std::size_t height = 6;            // rows of a tile: all its sums fit into the registers of AVX2
constexpr std::size_t depth = 256;
constexpr std::size_t few = 48;

/// Bare, as arrays of Eight are not always kept in registers.
using Vector = decltype(Eight::v);

/// Eight columns of B, the rows `stride` apart.
struct Panel {
  const double* data;
  std::size_t stride;
};

/// The tile C_ij += a sum_p A_ip B_pj of Rows rows.
template <std::size_t Rows>
BELLWETHER_INLINE void tile(std::size_t k, double a, const double* A, std::size_t row, std::size_t column,
                            const Panel& panel, double* C, std::size_t c_row, std::size_t columns) {
  Vector sums[Rows];
  for (std::size_t i = 0; i < Rows; ++i) sums[i] = Vector{};
  const double* source = panel.data;
  for (std::size_t p = 0; p < k; ++p) {
    const Vector b = Eight::load(source).v;
    for (std::size_t i = 0; i < Rows; ++i) sums[i] += A[i * row] * b;
    A += column;
    source += panel.stride;
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    Vector c{};
    double* target = C + i * c_row;
    if (columns == width) {
      std::memcpy(&c, target, sizeof c);
      c += a * sums[i];
      std::memcpy(target, &c, sizeof c);
    } else {
      c = a * sums[i];
      for (std::size_t j = 0; j < columns; ++j) target[j] += c[j];
    }
  }
}

}  // namespace

BELLWETHER_SIMD void add_product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C,
                                 std::size_t c_row) {
  alignas(64) double packed[depth * width];
  for (std::size_t p0 = 0; p0 < k; p0 += depth) {
    const std::size_t kk = std::min(depth, k - p0);
    for (std::size_t j0 = 0; j0 < n; j0 += width) {
      const std::size_t columns = std::min(width, n - j0);
      const double* source = B.data + p0 * B.row + j0 * B.column;
      Panel panel{source, B.row};
      // B is read where it lies if it can be, unless many rows of A make a copy without gaps worth its while.
      if (columns < width || B.column != 1 || m > few) {
        panel = {packed, width};
        for (std::size_t p = 0; p < kk; ++p) {
          const double* from = source + p * B.row;
          double* to = packed + p * width;
          if (columns == width && B.column == 1) {
            std::memcpy(to, from, width * sizeof(double));
            continue;
          }
          for (std::size_t j = 0; j < columns; ++j) to[j] = from[j * B.column];
          for (std::size_t j = columns; j < width; ++j) to[j] = 0;
        }
      }
      const double* left = A.data + p0 * A.column;
      double* corner = C + j0;
      std::size_t i = 0;
      for (; i + height <= m; i += height)
        tile<height>(kk, a, left + i * A.row, A.row, A.column, panel, corner + i * c_row, c_row, columns);
      for (; i + 2 <= m; i += 2)
        tile<2>(kk, a, left + i * A.row, A.row, A.column, panel, corner + i * c_row, c_row, columns);
      for (; i < m; ++i) tile<1>(kk, a, left + i * A.row, A.row, A.column, panel, corner + i * c_row, c_row, columns);
    }
  }
}

}  // namespace bellwether::kernels
