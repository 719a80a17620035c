#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

/// The inner loops of SparseSamples, compiled for every instruction set. Lengths n and the rows of all tables are
/// padded to multiples of eight, and nothing overlaps.
namespace bellwether::sparse_sample_loops {

/// A sparse vector of the sample being pushed.
struct Entries {
  std::size_t size;
  const std::uint32_t* rows;
  const double* const* histories;  // of the rows (RowHistories::history)
  const double* values;
  const double* weighted;  // values / D
};

/// An entry of a sample, at a row that has a slot (RowHistories).
struct SlotEntry {
  std::uint32_t slot;
  double value;

  static constexpr auto state() { return std::tuple{&SlotEntry::slot, &SlotEntry::value}; }
};

/// Products of the new a and d with the vectors of every sample j. "Weighted" products have D^-1 between the two.
struct SampleProducts {
  explicit SampleProducts(std::size_t n) : da_weighted(n), ad_weighted(n), aa(n), aa_weighted(n), dd(n) {}

  std::vector<double> da_weighted;  // d.D^-1 a_j
  std::vector<double> ad_weighted;  // a.D^-1 d_j
  std::vector<double> aa;           // a.a_j
  std::vector<double> aa_weighted;  // a.D^-1 a_j
  std::vector<double> dd;           // d.d_j
};

/// Products of the new a and d with the columns of U and V.
struct FactorProducts {
  explicit FactorProducts(std::size_t n) : Ua(n), Ua_weighted(n), Va_weighted(n), Ud_weighted(n), Vd(n) {}

  std::vector<double> Ua;           // U^T a
  std::vector<double> Ua_weighted;  // U^T D^-1 a
  std::vector<double> Va_weighted;  // V^T D^-1 a
  std::vector<double> Ud_weighted;  // U^T D^-1 d
  std::vector<double> Vd;           // V^T d
};

/// From the rows of [U | V] at which a and d have entries.
void products_with_factors(const Entries& a, const Entries& d, const double* uv, std::size_t width, std::size_t n,
                           FactorProducts& products);

/// From the rows that a and d share with the samples.
void products_with_samples(const Entries& a, const Entries& d, std::size_t span, std::size_t n,
                           SampleProducts& products);

/// x_out -= sum_q x_q X_q and y_out -= sum_q y_q Y_q, q < k, the rows of X and Y `stride` apart.
void subtract_products(std::size_t k, std::size_t n, std::size_t stride, const double* x, const double* X,
                       double* x_out, const double* y, const double* Y, double* y_out);

/// out += sum_q x_q A_q, q < k in order.
void add_rows(std::size_t k, std::size_t n, const double* A, std::size_t stride, const double* x, double* out);

/// out_j = sum_q x_q A_qj, j <= q < k: A is lower triangular, with zeros beyond the diagonal up to a multiple of eight.
void combine_triangle(std::size_t k, const double* A, std::size_t stride, const double* x, double* out);

/// Adds value times the n numbers of `row` to the sums of every entry's slot, which are `stride` apart.
void spread(std::size_t entries, const SlotEntry* entry, const double* row, std::size_t n, double* sums,
            std::size_t stride);

/// y = scale (u_i - sum_l r_l columns_l), l < i, with u_i the i-th unit vector; column l has no entries beyond its
/// l-th.
void gain_column(std::size_t i, std::size_t stride, double scale, const double* r, const double* columns, double* y);

/// Row i of two tables: rows_i = scale (first - sum_l r_l rows_l), l < i. rows2 may be null.
void gain_rows(std::size_t i, std::size_t stride, std::size_t n, double scale, const double* r, const double* first,
               double* rows, const double* first2, double* rows2);

}  // namespace bellwether::sparse_sample_loops
