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

BELLWETHER_SIMD void scale_rows(std::size_t rows, const double* __restrict s, const double* __restrict from,
                                std::size_t stride, std::size_t n, double* __restrict to, std::size_t to_stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; j += 4) {
      for (std::size_t l = 0; l < 4; ++l) to[i * to_stride + j + l] = s[i] * from[i * stride + j + l];
    }
  }
}

BELLWETHER_SIMD void add_outer(const RowTile& tile, const double* __restrict e, const double* __restrict z,
                               std::size_t n, double* __restrict to, std::size_t stride) {
  for (std::size_t i = 0; i < tile.count; ++i) {
    const double a = e[tile.row(i)];
    if (a == 0) continue;
    for (std::size_t j = 0; j < n; j += 4) {
      for (std::size_t l = 0; l < 4; ++l) to[i * stride + j + l] += a * z[j + l];
    }
  }
}

BELLWETHER_SIMD void add_combinations(std::size_t rows, const double* __restrict e, const double* __restrict f,
                                      const double* __restrict from, std::size_t stride, std::size_t width,
                                      std::size_t n, double* __restrict eu, double* __restrict fu,
                                      double* __restrict fv) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight a = Eight::load(eu + j);
    Eight b = Eight::load(fu + j);
    Eight c = Eight::load(fv + j);
    for (std::size_t i = 0; i < rows; ++i) {
      if (e[i] == 0) continue;
      const Eight u = Eight::load(from + i * stride + j);
      a += e[i] * u;
      b += f[i] * u;
      c += f[i] * Eight::load(from + i * stride + width + j);
    }
    a.store(eu + j);
    b.store(fu + j);
    c.store(fv + j);
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
