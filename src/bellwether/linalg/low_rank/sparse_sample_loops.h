#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loops of SparseSamples, compiled for every instruction set. Lengths n and the rows of all tables are
/// padded to a multiple of eight, and nothing overlaps.
namespace bellwether::sparse_sample_loops {

/// A sparse vector of the sample being pushed.
struct Entries {
  std::size_t size;
  const std::uint32_t* rows;
  const double* const* histories;  // per entry: what its row had in every sample's a, and from `span` on in every d
  const double* values;
  const double* weighted;  // values / D
};

/// From the rows of [U | V] that a and d have: U^T a, U^T D^-1 a, V^T D^-1 a, U^T D^-1 d, V^T d.
void meet_low_rank(const Entries& a, const Entries& d, const double* uv, std::size_t width, std::size_t n, double* Ua,
                   double* UDa, double* VDa, double* UDd, double* Vd);

/// For every sample j, from the rows shared with it: d.D^-1 a_j, a.D^-1 d_j, a.a_j, a.D^-1 a_j, d.d_j.
void meet_samples(const Entries& a, const Entries& d, std::size_t span, std::size_t n, double* dDa, double* aDd,
                  double* aa, double* aDa, double* dd);

/// x_out -= sum_q x_q X_q and y_out -= sum_q y_q Y_q, q < k, the rows of X and Y `stride` apart.
void subtract_products(std::size_t k, std::size_t n, std::size_t stride, const double* x, const double* X,
                       double* x_out, const double* y, const double* Y, double* y_out);

/// out += sum_q x_q A_q, one q < k after the other.
void add_rows(std::size_t k, std::size_t n, const double* A, std::size_t stride, const double* x, double* out);

/// y = scale (unit vector i - sum_l r_l columns_l), l < i, where column l has no entries beyond its l-th.
void gain_column(std::size_t i, std::size_t stride, double scale, const double* r, const double* columns, double* y);

/// Row i of two tables: rows_i = scale (first - sum_l r_l rows_l), l < i.
void gain_rows(std::size_t i, std::size_t stride, std::size_t n, double scale, const double* r, const double* first,
               double* rows, const double* first2, double* rows2);

}  // namespace bellwether::sparse_sample_loops
