#include <bellwether/linalg/simd/gemm.h>

#include <algorithm>
#include <cstring>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::kernels {
namespace {

constexpr std::size_t width = Eight::width;  // columns of a tile
constexpr std::size_t height = 6;            // rows of a tile: all its sums fit into the registers of AVX2
constexpr std::size_t depth = 256;           // terms of the sum over p at a time
constexpr std::size_t few = 48;              // rows of A up to which copying B does not pay
constexpr std::size_t room = 16384;          // numbers of B that are copied at a time

/// Eight columns of B, the rows `stride` apart.
struct Panel {
  const double* data;
  std::size_t stride;
};

/// C_ij += a sum_p A_ip B_pj for a tile of Rows rows and `columns` columns.
template <std::size_t Rows>
BELLWETHER_INLINE void tile(std::size_t k, double a, const double* A, std::size_t row, std::size_t column,
                            const Panel& panel, double* C, std::size_t c_row, std::size_t columns) {
  Eight sums[Rows] = {};
  const double* source = panel.data;
  for (std::size_t p = 0; p < k; ++p) {
    const Eight b = Eight::load(source);
    for (std::size_t i = 0; i < Rows; ++i) sums[i] += A[i * row] * b;
    A += column;
    source += panel.stride;
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    double* target = C + i * c_row;
    if (columns == width) {
      (Eight::load(target) + a * sums[i]).store(target);
    } else {
      (Eight::load(target, columns) + a * sums[i]).store(target, columns);
    }
  }
}

/// Copies eight columns of k rows of B, row after row, with zeros for missing columns.
BELLWETHER_INLINE void pack(std::size_t k, std::size_t columns, const double* source, const Strided& B, double* to) {
  for (std::size_t p = 0; p < k; ++p, to += width) {
    const double* from = source + p * B.row;
    if (columns == width && B.column == 1) {
      std::memcpy(to, from, width * sizeof(double));
      continue;
    }
    for (std::size_t j = 0; j < columns; ++j) to[j] = from[j * B.column];
    for (std::size_t j = columns; j < width; ++j) to[j] = 0;
  }
}

/// A row of tiles. `panels` holds the columns of B in packs of eight, or is null when B is read in place.
template <std::size_t Rows>
BELLWETHER_INLINE void band(std::size_t n, std::size_t k, double a, const double* A, const Strided& shape,
                            const double* panels, const double* B, std::size_t b_row, double* C, std::size_t c_row) {
  for (std::size_t j = 0; j < n; j += width) {
    const Panel panel = panels != nullptr ? Panel{panels + j * k, width} : Panel{B + j, b_row};
    tile<Rows>(k, a, A, shape.row, shape.column, panel, C + j, c_row, std::min(width, n - j));
  }
}

}  // namespace

// B is read in place if its rows are contiguous, unless A has so many rows that a copy without gaps pays. It is copied
// in blocks that stay in cache, and C is visited by rows, as it lies in memory.
BELLWETHER_SIMD void add_product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C,
                                 std::size_t c_row) {
  alignas(64) double packed[room];
  for (std::size_t p0 = 0; p0 < k; p0 += depth) {
    const std::size_t kk = std::min(depth, k - p0);
    const std::size_t most = room / (kk * width) * width;
    const bool in_place = B.column == 1 && m <= few;
    for (std::size_t j0 = 0; j0 < n;) {
      const std::size_t whole = (n - j0) / width * width;
      const bool copies = !in_place || whole == 0;
      const std::size_t block = copies ? std::min(most, n - j0) : whole;
      const double* source = B.data + p0 * B.row + j0 * B.column;
      if (copies) {
        for (std::size_t j = 0; j < block; j += width) {
          pack(kk, std::min(width, block - j), source + j * B.column, B, packed + j * kk);
        }
      }
      const double* panels = copies ? packed : nullptr;
      const double* left = A.data + p0 * A.column;
      double* corner = C + j0;
      std::size_t i = 0;
      for (; i + height <= m; i += height)
        band<height>(block, kk, a, left + i * A.row, A, panels, source, B.row, corner + i * c_row, c_row);
      for (; i + 2 <= m; i += 2)
        band<2>(block, kk, a, left + i * A.row, A, panels, source, B.row, corner + i * c_row, c_row);
      for (; i < m; ++i) band<1>(block, kk, a, left + i * A.row, A, panels, source, B.row, corner + i * c_row, c_row);
      j0 += block;
    }
  }
}

}  // namespace bellwether::kernels
