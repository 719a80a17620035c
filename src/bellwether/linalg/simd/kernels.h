#pragma once

#include <cstddef>
#include <type_traits>

#include <bellwether/core/features.h>

/// Inner loops over feature vectors: dot products, scaled sums, scalings.
///
/// The dense loops are compiled for SSE2, AVX2 and AVX-512; the best version is chosen when the program starts. All
/// give the same bits: sums run over eight interleaved partial sums that are added in a fixed order, and products are
/// never fused with additions (`-ffp-contract=off`). The loops for eight vectors side by side are in eight_kernels.h.
namespace bellwether::kernels {

double dot(const double* a, const double* b, std::size_t n);                     // sum a_j b_j
void axpy(double a, const double* x, double* y, std::size_t n);                  // y += a x
void scale(double a, double* y, std::size_t n);                                  // y *= a
void scale_axpy(double s, double a, const double* x, double* y, std::size_t n);  // y = s y + a x
void multiply(const double* x, double* y, std::size_t n);                        // y_j *= x_j
void rotate(double c, double s, double* x, double* y, std::size_t n);            // (x, y) = (c x + s y, c y - s x)
std::size_t largest(const double* v, std::size_t n);                             // the first j with the largest |v_j|

/// y += sum_k (a x_k) A_k for the rows A_k of a matrix, `stride` apart and n long, that are x's indices: the bits of
/// one axpy after another, in half the time, as y is read and written once for four rows.
void add_rows(double a, SparseView x, const double* A, std::size_t stride, double* y, std::size_t n);

inline double dot(DenseView x, const double* w) { return dot(x.values, w, x.size); }
inline void axpy(double a, DenseView x, double* y) { axpy(a, x.values, y, x.size); }
inline double squared_norm(DenseView x) { return dot(x.values, x.values, x.size); }

template <class Real>
Real dot(SparseView x, const Real* w) {
  Real sum{};
  for (std::size_t i = 0; i < x.size; ++i) sum += x.values[i] * w[x.indices[i]];
  return sum;
}
template <class Real>
void axpy(const std::type_identity_t<Real>& a, SparseView x, Real* y) {
  for (std::size_t i = 0; i < x.size; ++i) y[x.indices[i]] += a * x.values[i];
}
inline double squared_norm(SparseView x) { return dot(x.values, x.values, x.size); }

template <class Real>
Real dot(BinaryView x, const Real* w) {
  Real sum{};
  for (std::size_t i = 0; i < x.size; ++i) sum += w[x.indices[i]];
  return sum;
}
template <class Real>
void axpy(const std::type_identity_t<Real>& a, BinaryView x, Real* y) {
  for (std::size_t i = 0; i < x.size; ++i) y[x.indices[i]] += a;
}
inline double squared_norm(BinaryView x) { return static_cast<double>(x.size); }

}  // namespace bellwether::kernels
