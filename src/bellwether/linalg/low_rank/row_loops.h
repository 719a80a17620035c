#pragma once

#include <cstddef>
#include <cstdint>

#include <bellwether/linalg/simd/eight.h>

namespace bellwether {

/// Some rows of a matrix: consecutive ones, or those of a list.
struct RowTile {
  std::size_t first, count;
  const std::uint32_t* list = nullptr;

  std::size_t row(std::size_t i) const { return list == nullptr ? first + i : list[i]; }
};

/// Inner loops over the rows of a matrix, compiled for every instruction set. Rows start `stride` numbers apart; n, how
/// many of their numbers count, is a multiple of eight. Vectors are by row of the matrix, and nothing overlaps.
namespace row_loops {

/// a.b for n a multiple of 4, in the same order whatever the instruction set.
BELLWETHER_INLINE double short_dot(const double* a, const double* b, std::size_t n) {
  double part[4] = {};
  for (std::size_t j = 0; j < n; j += 4) {
    for (std::size_t i = 0; i < 4; ++i) part[i] += a[j + i] * b[j + i];
  }
  return (part[0] + part[2]) + (part[1] + part[3]);
}

/// out += sum_r v_r s_r rows_r, with n numbers a row; s may be null, which stands for ones.
void combine_rows(const RowTile& tile, const double* v, const double* s, const double* from, std::size_t stride,
                  std::size_t n, double* out);

/// out_r = s_r (v_r - rows_r.q)
void spread_rows(const RowTile& tile, const double* v, const double* s, const double* from, std::size_t stride,
                 std::size_t n, const double* q, double* out);

/// out_r = s_r v_r + rows_r.q
void add_products(const RowTile& tile, const double* v, const double* s, const double* from, std::size_t stride,
                  std::size_t n, const double* q, double* out);

/// v_r -= s_r rows_r.q, n a multiple of four.
void subtract_weighted(const RowTile& tile, const double* s, const double* from, std::size_t stride, std::size_t n,
                       const double* q, double* v);

/// Row i of `to` is s_i times row i of `from`; n is a multiple of four.
void scale_rows(std::size_t rows, const double* s, const double* from, std::size_t stride, std::size_t n, double* to,
                std::size_t to_stride);

/// Row i of `to` += e_r z for the i-th row r of the tile; n is a multiple of four.
void add_outer(const RowTile& tile, const double* e, const double* z, std::size_t n, double* to, std::size_t stride);

/// For rows [u | v], v beginning `width` numbers after u: eu += sum_i e_i u_i, fu += sum_i f_i u_i, fv += sum_i f_i
/// v_i.
void add_combinations(std::size_t rows, const double* e, const double* f, const double* from, std::size_t stride,
                      std::size_t width, std::size_t n, double* eu, double* fu, double* fv);

/// d_r -= u_r.v_r, n a multiple of four.
void subtract_row_products(std::size_t rows, const double* u, const double* v, std::size_t stride, std::size_t n,
                           double* d);

/// d_r += u_r.v_r, n a multiple of four.
void add_row_products(std::size_t rows, const double* u, const double* v, std::size_t stride, std::size_t n, double* d);

}  // namespace row_loops
}  // namespace bellwether
