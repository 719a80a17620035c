#include <bellwether/linalg/simd/gemm.h>

#include <algorithm>
#include <cstring>

#include <bellwether/linalg/simd/dispatch.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::kernels {
namespace {

constexpr std::size_t width = Eight::width;  // columns of a panel
constexpr std::size_t height = 6;            // rows of a tile: all its sums fit into the registers
constexpr std::size_t depth = 256;           // terms of the sum over p at a time
constexpr std::size_t few = 64;              // rows of A up to which copying B does not pay
constexpr std::size_t room = 8192;           // numbers of B that are copied at a time, on stacks that may be small

/// Eight columns of B, the rows `stride` apart; the next eight begin `next` further on.
struct Panel {
  const double* data;
  std::size_t stride;
  std::size_t next;
};

/// What the sums of a tile are kept in, for processors with 16 registers of four numbers and with 32 of eight. The
/// latter take half the time for the product, where they are one register each and not two.
struct Narrow {
  using Numbers = Eight;
  static constexpr std::size_t panels = 1;  // of a tile
};
struct Wide {
  using Numbers = double __attribute__((vector_size(64)));
  static constexpr std::size_t panels = 2;
};

/// C and what becomes of its entries.
struct Target {
  double* data;
  std::size_t row;
  bool adds;  // to what is there; otherwise overwrites it
};

BELLWETHER_INLINE void read(const double* p, Eight& x) { x = Eight::load(p); }
template <class Vector>
BELLWETHER_INLINE void read(const double* p, Vector& x) {
  std::memcpy(&x, p, sizeof x);
}
BELLWETHER_INLINE void write(const Eight& x, double* p) { x.store(p); }
template <class Vector>
BELLWETHER_INLINE void write(const Vector& x, double* p) {
  std::memcpy(p, &x, sizeof x);
}

/// Adds the numbers to those at `target`, or overwrites them.
template <class Numbers>
BELLWETHER_INLINE void finish(const Numbers& numbers, double* target, bool adds) {
  Numbers entries{};
  if (adds) read(target, entries);
  write(entries + numbers, target);
}

/// C_ij (+)= a sum_p A_ip B_pj for a tile of Rows rows and of as many columns as the panels have; of the last panel
/// only `columns`, at most as many as Numbers holds. Four makes half a panel.
template <class Numbers, std::size_t Panels, std::size_t Rows>
BELLWETHER_INLINE void tile(std::size_t k, double a, const double* A, std::size_t row, std::size_t column,
                            const Panel& panel, const Target& C, std::size_t columns) {
  Numbers sums[Panels][Rows];
  for (auto& of_panel : sums) {
    for (auto& sum : of_panel) sum = Numbers{};  // one by one: otherwise GCC clears memory, which is slow
  }
  const double* source = panel.data;
  for (std::size_t p = 0; p < k; ++p) {
    Numbers b[Panels];
    for (std::size_t l = 0; l < Panels; ++l) read(source + l * panel.next, b[l]);
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t l = 0; l < Panels; ++l) sums[l][i] += A[i * row] * b[l];
    }
    A += column;
    source += panel.stride;
  }
  if (columns * sizeof(double) == sizeof(Numbers)) {
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t l = 0; l < Panels; ++l) finish(a * sums[l][i], C.data + i * C.row + l * width, C.adds);
    }
    return;
  }
  for (std::size_t i = 0; i < Rows; ++i) {
    double part[width] = {};
    std::memcpy(part, C.data + i * C.row, columns * sizeof(double));
    finish(a * sums[0][i], part, C.adds);
    std::memcpy(C.data + i * C.row, part, columns * sizeof(double));
  }
}

/// Copies eight columns of k rows of B, row after row, with zeros for missing columns.
BELLWETHER_INLINE void pack(std::size_t k, std::size_t columns, const double* source, const Strided& B, double* to) {
  for (std::size_t p = 0; p < k; ++p, to += width) {
    const double* from = source + p * B.row;
    if (columns % (width / 2) == 0 && B.column == 1) {
      std::memcpy(to, from, width / 2 * sizeof(double));
      if (columns == width) std::memcpy(to + width / 2, from + width / 2, width / 2 * sizeof(double));
      continue;
    }
    for (std::size_t j = 0; j < columns; ++j) to[j] = from[j * B.column];
    for (std::size_t j = columns; j < width; ++j) to[j] = 0;
  }
}

/// The row of tiles that begins at row i. `panels` holds the columns of B in packs of eight, or is null when B is read
/// in place.
template <class Registers, std::size_t Rows>
BELLWETHER_INLINE void band(std::size_t n, std::size_t k, double a, const double* A, const Strided& shape,
                            std::size_t i, const double* panels, const double* B, std::size_t b_row, const Target& C) {
  using Numbers = typename Registers::Numbers;
  constexpr std::size_t together = Registers::panels;
  A += i * shape.row;
  double* rows = C.data + i * C.row;
  std::size_t j = 0;
  const auto panel = [&] {
    return panels != nullptr ? Panel{panels + j * k, width, width * k} : Panel{B + j, b_row, width};
  };
  const auto part = [&] { return Target{rows + j, C.row, C.adds}; };
  for (; together > 1 && j + together * width <= n; j += together * width) {
    tile<Numbers, together, Rows>(k, a, A, shape.row, shape.column, panel(), part(), width);
  }
  for (; j < n; j += width) {
    if (n - j > width / 2)
      tile<Numbers, 1, Rows>(k, a, A, shape.row, shape.column, panel(), part(), std::min(width, n - j));
    else tile<Four, 1, Rows>(k, a, A, shape.row, shape.column, panel(), part(), n - j);
  }
}

// B is read in place if its rows are contiguous, unless A has so many rows that a copy without gaps pays. It is copied
// in blocks that stay in cache, and C is visited by rows, as it lies in memory.
template <class Registers>
BELLWETHER_INLINE void multiply(std::size_t m, std::size_t n, std::size_t k, double a, const Strided& A,
                                const Strided& B, double* C, std::size_t c_row, bool adds) {
  alignas(64) double packed[room];
  if (k == 0 && !adds) {
    for (std::size_t i = 0; i < m; ++i) std::fill_n(C + i * c_row, n, 0.0);
  }
  for (std::size_t p0 = 0; p0 < k; p0 += depth) {
    const std::size_t kk = std::min(depth, k - p0);
    const std::size_t most = room / (kk * width) * width;
    const bool in_place = B.column == 1 && m <= few;
    for (std::size_t j0 = 0; j0 < n;) {
      const std::size_t last = (n - j0) % width;  // columns that do not fill a tile; half a tile is as good as one
      const std::size_t whole = n - j0 - (last == width / 2 ? 0 : last);
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
      const Target corner{C + j0, c_row, adds || p0 > 0};
      std::size_t i = 0;
      for (; i + height <= m; i += height)
        band<Registers, height>(block, kk, a, left, A, i, panels, source, B.row, corner);
      switch (m - i) {
        case 5: band<Registers, 5>(block, kk, a, left, A, i, panels, source, B.row, corner); break;
        case 4: band<Registers, 4>(block, kk, a, left, A, i, panels, source, B.row, corner); break;
        case 3: band<Registers, 3>(block, kk, a, left, A, i, panels, source, B.row, corner); break;
        case 2: band<Registers, 2>(block, kk, a, left, A, i, panels, source, B.row, corner); break;
        case 1: band<Registers, 1>(block, kk, a, left, A, i, panels, source, B.row, corner); break;
        default: break;
      }
      j0 += block;
    }
  }
}

BELLWETHER_SIMD void multiply_narrow(std::size_t m, std::size_t n, std::size_t k, double a, const Strided& A,
                                     const Strided& B, double* C, std::size_t c_row, bool adds) {
  multiply<Narrow>(m, n, k, a, A, B, C, c_row, adds);
}

}  // namespace

void product(std::size_t m, std::size_t n, std::size_t k, double a, Strided A, Strided B, double* C, std::size_t c_row,
             bool adds) {
  if (!has_avx512()) return multiply_narrow(m, n, k, a, A, B, C, c_row, adds);
  call_with_avx512([&] { multiply<Wide>(m, n, k, a, A, B, C, c_row, adds); });
}

// By bands of rows, from the diagonal to the right; then the rest is copied.
void set_gram(std::size_t m, std::size_t k, double a, Strided A, double* G, std::size_t g_row) {
  constexpr std::size_t rows = 4 * height;
  for (std::size_t i = 0; i < m; i += rows) {
    const Strided rest{A.data + i * A.row, A.row, A.column};
    set_product(std::min(rows, m - i), m - i, k, a, rest, {rest.data, A.column, A.row}, G + i * g_row + i, g_row);
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < i; ++j) G[i * g_row + j] = G[j * g_row + i];
  }
}

}  // namespace bellwether::kernels
