#include <bellwether/linalg/low_rank/top_left_space.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/dense/small_dense.h>
#include <bellwether/linalg/dense/symmetric_eigen.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

using kernels::Strided;

/// C = A B
void product(std::size_t m, std::size_t n, std::size_t k, Strided A, Strided B, double* C, std::size_t c_row) {
  kernels::set_product(m, n, k, 1.0, A, B, C, c_row);
}

/// A_ij *= s_i s_j
BELLWETHER_SIMD void scale_both_sides(std::size_t n, const double* __restrict s, double* __restrict A,
                                      std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[i * stride + j] *= s[i] * s[j];
  }
}

/// A = (A + A^T) / 2: rounding may leave the two triangles different.
void symmetrise(std::size_t n, double* A, std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      A[i * stride + j] = A[j * stride + i] = (A[i * stride + j] + A[j * stride + i]) / 2;
    }
  }
}

/// Directions below this share of the largest squared singular value are rounding.
constexpr double negligible = 1e-14;

}  // namespace

TopLeftSpace::TopLeftSpace(std::size_t columns, std::size_t rank)
    : columns_(columns),
      stride_(padded(std::min(columns, rank + extra))),
      Z_(columns * stride_),
      Y_(columns * stride_),
      T_(columns * stride_),
      F_(columns * columns),
      K_(columns * columns),
      C_(stride_ * stride_),
      s2_(columns),
      work_(3 * columns),
      lengths_(columns) {}

/// Scales the columns of L to length one and those of R to match: l r^T = (l/a) (a r)^T. What is negligible in R is
/// then negligible in S.
void TopLeftSpace::balance(std::size_t n, double* GL, double* GR, std::size_t stride) {
  for (std::size_t i = 0; i < n; ++i) {
    const double square = GL[i * stride + i];
    lengths_[i] = square > 0 ? std::sqrt(square) : 0.0;
  }
  scale_both_sides(n, lengths_.data(), GR, stride);
  for (std::size_t i = 0; i < n; ++i) {
    if (lengths_[i] == 0) lengths_[i] = 1;  // a column of zeros in L: the one in R counts for nothing
    work_[i] = 1 / lengths_[i];
  }
  scale_both_sides(n, work_.data(), GL, stride);
}

void TopLeftSpace::restore(std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < found_; ++j) Z_[i * stride_ + j] /= lengths_[i];
    for (std::size_t j = 0; j < found_; ++j) Y_[i * stride_ + j] *= lengths_[i];
  }
}

void TopLeftSpace::exact(std::size_t n, double* GL, double* GR, std::size_t stride, std::size_t rank) {
  balance(n, GL, GR, stride);
  decompose(n, GL, GR, stride, rank);
  restore(n);
}

void TopLeftSpace::refine(std::size_t n, double* GL, double* GR, std::size_t stride, std::size_t rank,
                          std::size_t warm) {
  balance(n, GL, GR, stride);
  const bool worthwhile = warm == rank && n > rank + 2 * extra;
  if (!worthwhile || !iterate(n, GL, GR, stride, rank, warm)) decompose(n, GL, GR, stride, rank);
  restore(n);
}

bool TopLeftSpace::iterate(std::size_t n, const double* GL, const double* GR, std::size_t stride, std::size_t rank,
                           std::size_t warm) {
  const std::size_t p = rank + extra;
  const std::size_t columns = kernels::fours(p);
  // Z = GR Y for the first Y = [I 0; 0 M]; M has the columns (1, 1, ..) and (+-1, +-1, ..), and M^T GR is found first.
  double* M = Y_.data();
  for (std::size_t i = warm; i < n; ++i) {
    M[i * extra] = 1;
    M[i * extra + 1] = (i * 0x9e3779b97f4a7c15U >> 40U) % 2 == 0 ? 1 : -1;
  }
  product(extra, n, n - warm, {M + warm * extra, 1, extra}, {GR + warm * stride, stride}, T_.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    double* z = Z_.data() + i * stride_;
    std::copy_n(GR + i * stride, warm, z);
    for (std::size_t j = 0; j < extra; ++j) z[warm + j] = T_[j * n + i];
    std::fill(z + p, z + columns, 0.0);
  }
  for (int pass = 0; pass < 2; ++pass) {
    if (pass > 0) product(n, columns, n, {GR, stride}, {Y_.data(), stride_}, Z_.data(), stride_);
    product(n, columns, n, {GL, stride}, {Z_.data(), stride_}, Y_.data(), stride_);
    double least = orthonormalise(n, p);
    if (least == 0) return false;
    if (least < 1e-4) {  // digits were lost: again, from a fresh product
      product(n, columns, n, {GL, stride}, {Z_.data(), stride_}, Y_.data(), stride_);
      if (orthonormalise(n, p) < 0.5) return false;
    }
  }
  // Rayleigh and Ritz: the space is rotated to the eigenvectors of U^T S S^T U = Y^T GR Y.
  product(n, columns, n, {GR, stride}, {Y_.data(), stride_}, T_.data(), stride_);
  product(p, columns, n, {Y_.data(), 1, stride_}, {T_.data(), stride_}, C_.data(), stride_);
  symmetrise(p, C_.data(), stride_);
  if (!symmetric_eigen(p, C_.data(), stride_, s2_.data(), work_.data())) return false;
  if (!(s2_[rank - 1] > negligible * s2_[0])) return false;
  left_out_ = std::max(0.0, s2_[rank]);
  truncate(n, p, rank, C_.data(), stride_);
  return true;
}

void TopLeftSpace::decompose(std::size_t n, const double* GL, const double* GR, std::size_t stride, std::size_t rank) {
  found_ = 0;
  left_out_ = 0;
  rotated_ = false;
  std::fill_n(Z_.begin(), n * stride_, 0.0);
  std::fill_n(Y_.begin(), n * stride_, 0.0);
  // GR = F F^T, so S S^T = L F F^T L^T has the eigenvalues of K = F^T GL F, and u = L F q / sigma.
  const std::size_t p = factor(n, GR, stride);
  if (p == 0) return;
  product(p, n, n, {F_.data(), columns_}, {GL, stride}, K_.data(), columns_);  // F^T GL; F is stored by its columns
  for (std::size_t i = 0; i < p; ++i) {
    double* row = K_.data() + i * columns_;
    for (std::size_t j = 0; j < p; ++j) work_[j] = kernels::dot(row, F_.data() + j * columns_, n);
    std::copy_n(work_.begin(), p, row);
  }
  symmetrise(p, K_.data(), columns_);
  if (!symmetric_eigen(p, K_.data(), columns_, s2_.data(), work_.data())) return;
  std::size_t r = 0;
  while (r < std::min(rank, p) && s2_[r] > negligible * s2_[0] && s2_[r] > 0) ++r;
  left_out_ = r < p ? std::max(0.0, s2_[r]) : 0.0;
  kernels::add_product(n, r, p, 1.0, {F_.data(), 1, columns_}, {K_.data(), 1, columns_}, Z_.data(), stride_);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < r; ++j) Z_[i * stride_ + j] /= std::sqrt(s2_[j]);
  }
  // Squares of small singular values are inexact, which costs orthogonality; that is restored in the metric of GL.
  for (; r > 0; --r) {
    product(n, stride_, n, {GL, stride}, {Z_.data(), stride_}, Y_.data(), stride_);
    if (orthonormalise(n, r) > 1e-10) break;
  }
  found_ = r;
  for (std::vector<double>* matrix : {&Z_, &Y_}) {
    for (std::size_t i = 0; i < n; ++i)
      std::fill(matrix->data() + i * stride_ + r, matrix->data() + (i + 1) * stride_, 0.0);
  }
}

/// GR = F F^T by Cholesky with the largest remaining pivot first. Rows of F_ are the columns of F. Returns their
/// number.
std::size_t TopLeftSpace::factor(std::size_t n, const double* GR, std::size_t stride) {
  double* rest = work_.data();
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, rest[i] = GR[i * stride + i]);
  for (std::size_t p = 0; p < n; ++p) {
    const auto pivot = static_cast<std::size_t>(std::max_element(rest, rest + n) - rest);
    if (!(rest[pivot] > 1e-15 * largest)) return p;
    double* f = F_.data() + p * columns_;
    std::copy_n(GR + pivot * stride, n, f);
    for (std::size_t l = 0; l < p; ++l) {
      const double* g = F_.data() + l * columns_;
      kernels::axpy(-g[pivot], g, f, n);
    }
    const double root = std::sqrt(rest[pivot]);
    for (std::size_t i = 0; i < n; ++i) f[i] /= root;
    f[pivot] = root;
    for (std::size_t i = 0; i < n; ++i) rest[i] -= f[i] * f[i];
    rest[pivot] = -1;
  }
  return n;
}

/// Z and Y = GL Z are multiplied by R^-1 from the right, where Z^T Y = R^T R. Returns how independent the columns were;
/// 0 when they are too dependent for that.
double TopLeftSpace::orthonormalise(std::size_t n, std::size_t p) {
  const std::size_t columns = kernels::fours(p);
  product(p, columns, n, {Z_.data(), 1, stride_}, {Y_.data(), stride_}, C_.data(), stride_);
  symmetrise(p, C_.data(), stride_);
  const double least = inverse_cholesky(p, C_.data(), stride_, 1e-13);
  if (least == 0) return 0;
  for (std::vector<double>* matrix : {&Z_, &Y_}) {
    product(n, columns, p, {matrix->data(), stride_}, {C_.data(), stride_}, T_.data(), stride_);
    std::swap(*matrix, T_);
  }
  return least;
}

/// Z and Y are multiplied by the first `rank` rows of `rotation`, transposed.
void TopLeftSpace::truncate(std::size_t n, std::size_t p, std::size_t rank, const double* rotation,
                            std::size_t rotation_stride) {
  for (std::vector<double>* matrix : {&Z_, &Y_}) {
    std::fill_n(T_.begin(), n * stride_, 0.0);
    kernels::add_product(n, rank, p, 1.0, {matrix->data(), stride_}, {rotation, 1, rotation_stride}, T_.data(),
                         stride_);
    std::swap(*matrix, T_);
  }
  found_ = rank;
  rotated_ = true;
}

}  // namespace bellwether
