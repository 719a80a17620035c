#include <bellwether/linalg/low_rank/row_loops.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether::row_loops {

BELLWETHER_SIMD void combine_rows(const RowTile& tile, const double* __restrict v, const double* __restrict s,
                                  const double* __restrict from, std::size_t stride, std::size_t n,
                                  double* __restrict out) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::size_t r = tile.row(i);
    const double a = s == nullptr ? v[r] : v[r] * s[r];
    if (a == 0) continue;
    for (std::size_t j = 0; j < n; ++j) out[j] += a * from[r * stride + j];
  }
}

BELLWETHER_SIMD void spread_rows(const RowTile& tile, const double* __restrict v, const double* __restrict s,
                                 const double* __restrict from, std::size_t stride, std::size_t n,
                                 const double* __restrict q, double* __restrict out) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::size_t r = tile.row(i);
    out[r] = s[r] * (v[r] - short_dot(from + r * stride, q, n));
  }
}

BELLWETHER_SIMD void add_products(const RowTile& tile, const double* __restrict v, const double* __restrict s,
                                  const double* __restrict from, std::size_t stride, std::size_t n,
                                  const double* __restrict q, double* __restrict out) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::size_t r = tile.row(i);
    out[r] = s[r] * v[r] + short_dot(from + r * stride, q, n);
  }
}

BELLWETHER_SIMD void subtract_weighted(const RowTile& tile, const double* __restrict s, const double* __restrict from,
                                       std::size_t stride, std::size_t n, const double* __restrict q,
                                       double* __restrict v) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const std::size_t r = tile.row(i);
    v[r] -= s[r] * short_dot(from + r * stride, q, n);
  }
}

BELLWETHER_SIMD void subtract_row_products(std::size_t rows, const double* __restrict u, const double* __restrict v,
                                           std::size_t stride, std::size_t n, double* __restrict d) {
  for (std::size_t r = 0; r < rows; ++r) d[r] -= short_dot(u + r * stride, v + r * stride, n);
}

BELLWETHER_SIMD void add_row_products(std::size_t rows, const double* __restrict u, const double* __restrict v,
                                      std::size_t stride, std::size_t n, double* __restrict d) {
  for (std::size_t r = 0; r < rows; ++r) d[r] += short_dot(u + r * stride, v + r * stride, n);
}

}  // namespace bellwether::row_loops
