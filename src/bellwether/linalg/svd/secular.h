#pragma once

#include <cstddef>
#include <cstdint>

/// The eigenvalues and eigenvectors of a diagonal matrix plus a term of rank one, diag(pole) + rho z z^T, rho > 0 and
/// the poles ascending, from the secular equation
///
///   1 / rho + sum_j z_j^2 / (pole_j - mu) = 0        mu_i between pole_i and pole_{i+1}
///
/// Every pole is given as a sum, pole = high + low, so that poles that are themselves roots of such an equation keep
/// their small distances from others. Arrays have room for padded(n + 1) numbers (linalg/simd/eight.h), and weight_j =
/// z_j^2. No pole may equal another, and no weight may be zero: RankOneTerm takes care of that.
namespace bellwether::secular {

struct Poles {
  const double *high, *low;
};

/// Finds the n roots, each as a pole and an offset, mu = pole[near] + offset, so that its distance from any pole is
/// known to full relative precision. pole[n] is an upper bound of the last root, with weight[n] = 0. `room` holds 8 n
/// numbers.
void solve(std::size_t n, double rho, Poles pole, const double* weight, std::uint32_t* near, double* offset,
           double* room);

/// weight_i = prod_j (mu_j - pole_i) / prod_{j != i} (pole_j - pole_i): rho z^2 for the z whose roots are exactly those
/// given (Loewner). Roots that are only nearly right would otherwise have eigenvectors that are not orthogonal (Gu &
/// Eisenstat 1994).
void exact_weights(std::size_t n, Poles pole, const std::uint32_t* near, const double* offset, double* weight);

/// vectors_jc = f_c z_j / (pole_j - mu_c), mu_c = start_c + offset_c, with f_c for columns of length one; `start` are
/// the poles nearest to the roots. Rows `stride` apart. As mu_c is a root, the product of column c with z is -f_c (for
/// rho z z^T with rho = 1).
void vectors(std::size_t n, Poles pole, const double* z, Poles start, const double* offset, double* vectors,
             std::size_t stride, double* f);

/// The eigenvectors of diag(pole) + p w w^T + q u u^T, p and q one or minus one, from their products with w and u:
///
///   vectors_ic = (p w_i alpha_c + q u_i beta_c) / (mu_c - pole_i)        alpha_c = w.v_c,  beta_c = u.v_c
///
/// for n poles and `columns` vectors, mu_c = start_c + (first_c + second_c).
struct TwoTerms {
  double p, q;
  const double *w, *u, *alpha, *beta;
  const double *u_size, *alpha_size;  // the sums of sizes of which u and alpha are the sums; w and beta are precise
};

/// Bounds of the rounding errors in the entries of a column, in units of the last place: numerator and offsets may
/// cancel. For the worst entry, most often that of the nearest pole, and for the worst of the others; and the row of
/// the worst.
struct ColumnErrors {
  double *worst, *second_worst, *worst_row;
};
void vectors_of_two_terms(std::size_t n, std::size_t columns, const double* pole, const TwoTerms& terms,
                          const double* start, const double* first, const double* second, double* vectors,
                          std::size_t stride, const ColumnErrors& errors);

}  // namespace bellwether::secular
