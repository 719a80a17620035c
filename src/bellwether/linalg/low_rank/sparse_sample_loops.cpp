#include <bellwether/linalg/low_rank/sparse_sample_loops.h>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::sparse_sample_loops {
namespace {

/// sum += a times the eight numbers from `from` on.
BELLWETHER_INLINE void add(Eight& sum, double a, const double* from) { sum = sum + a * Eight::load(from); }

}  // namespace

BELLWETHER_SIMD void products_with_factors(const Entries& a, const Entries& d, const double* uv, std::size_t width,
                                           std::size_t n, FactorProducts& products) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight Ua{}, Ua_weighted{}, Va_weighted{}, Ud_weighted{}, Vd{};
    for (std::size_t f = 0; f < a.size; ++f) {
      const double* row = uv + std::size_t{a.rows[f]} * 2 * width + j;
      add(Ua, a.values[f], row);
      add(Ua_weighted, a.weighted[f], row);
      add(Va_weighted, a.weighted[f], row + width);
    }
    for (std::size_t f = 0; f < d.size; ++f) {
      const double* row = uv + std::size_t{d.rows[f]} * 2 * width + j;
      add(Ud_weighted, d.weighted[f], row);
      add(Vd, d.values[f], row + width);
    }
    Ua.store(products.Ua.data() + j);
    Ua_weighted.store(products.Ua_weighted.data() + j);
    Va_weighted.store(products.Va_weighted.data() + j);
    Ud_weighted.store(products.Ud_weighted.data() + j);
    Vd.store(products.Vd.data() + j);
  }
}

BELLWETHER_SIMD void products_with_samples(const Entries& a, const Entries& d, std::size_t span, std::size_t n,
                                           SampleProducts& products) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight da_weighted{}, ad_weighted{}, aa{}, aa_weighted{}, dd{};
    for (std::size_t f = 0; f < d.size; ++f) {
      const double* history = d.histories[f] + j;
      add(da_weighted, d.weighted[f], history);
      add(dd, d.values[f], history + span);
    }
    for (std::size_t f = 0; f < a.size; ++f) {
      const double* history = a.histories[f] + j;
      add(aa, a.values[f], history);
      add(aa_weighted, a.weighted[f], history);
      add(ad_weighted, a.weighted[f], history + span);
    }
    da_weighted.store(products.da_weighted.data() + j);
    ad_weighted.store(products.ad_weighted.data() + j);
    aa.store(products.aa.data() + j);
    aa_weighted.store(products.aa_weighted.data() + j);
    dd.store(products.dd.data() + j);
  }
}

BELLWETHER_SIMD void subtract_products(std::size_t k, std::size_t n, std::size_t stride, const double* __restrict x,
                                       const double* __restrict X, double* __restrict x_out, const double* __restrict y,
                                       const double* __restrict Y, double* __restrict y_out) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight s = Eight::load(x_out + j);
    Eight t = Eight::load(y_out + j);
    for (std::size_t q = 0; q < k; ++q) {
      add(s, -x[q], X + q * stride + j);
      add(t, -y[q], Y + q * stride + j);
    }
    s.store(x_out + j);
    t.store(y_out + j);
  }
}

BELLWETHER_SIMD void add_rows(std::size_t k, std::size_t n, const double* __restrict A, std::size_t stride,
                              const double* __restrict x, double* __restrict out) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight s = Eight::load(out + j);
    for (std::size_t q = 0; q < k; ++q) add(s, x[q], A + q * stride + j);
    s.store(out + j);
  }
}

BELLWETHER_SIMD void combine_triangle(std::size_t k, const double* __restrict A, std::size_t stride,
                                      const double* __restrict x, double* __restrict out) {
  for (std::size_t j = 0; j < k; j += Eight::width) {
    Eight s{};
    for (std::size_t q = j; q < k; ++q) add(s, x[q], A + q * stride + j);
    s.store(out + j);
  }
}

BELLWETHER_SIMD void spread(std::size_t entries, const SlotEntry* entry, const double* __restrict row, std::size_t n,
                            double* __restrict sums, std::size_t stride) {
  for (std::size_t f = 0; f < entries; ++f) {
    double* to = sums + entry[f].slot * stride;
    for (std::size_t j = 0; j < n; ++j) to[j] += entry[f].value * row[j];
  }
}

BELLWETHER_SIMD void gain_column(std::size_t i, std::size_t stride, double scale, const double* __restrict r,
                                 const double* __restrict columns, double* __restrict y) {
  for (std::size_t j = 0; j <= i; j += Eight::width) {
    Eight s{};
    for (std::size_t l = j; l < i; ++l) add(s, -r[l], columns + l * stride + j);
    (scale * s).store(y + j);
  }
  y[i] = scale;
}

BELLWETHER_SIMD void gain_rows(std::size_t i, std::size_t stride, std::size_t n, double scale,
                               const double* __restrict r, const double* __restrict first, double* __restrict rows,
                               const double* __restrict first2, double* __restrict rows2) {
  for (std::size_t j = 0; j < n; j += Eight::width) {
    Eight s = Eight::load(first + j);
    if (rows2 == nullptr) {
      for (std::size_t l = 0; l < i; ++l) add(s, -r[l], rows + l * stride + j);
      (scale * s).store(rows + i * stride + j);
      continue;
    }
    Eight t = Eight::load(first2 + j);
    for (std::size_t l = 0; l < i; ++l) {
      add(s, -r[l], rows + l * stride + j);
      add(t, -r[l], rows2 + l * stride + j);
    }
    (scale * s).store(rows + i * stride + j);
    (scale * t).store(rows2 + i * stride + j);
  }
}

}  // namespace bellwether::sparse_sample_loops
