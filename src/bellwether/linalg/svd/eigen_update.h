#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/linalg/svd/rank_one_term.h>

namespace bellwether {

/// The eigenvalues and eigenvectors of a symmetric matrix G that changes by one term at a time:
///
///   G = L diag(lambda) L^T                  G += rho v v^T,   G += h y^T + y h^T + g y y^T
///
/// In the eigenbasis, with z = L^T v, the first is diag(lambda) + rho z z^T, whose eigenvectors T are found in O(n^2)
/// (linalg/svd/rank_one_term.h); then L = L T, one product of n x n matrices.
///
/// The second is of rank two. Its eigenvectors in the eigenbasis, T = T_1 T_2, need no product of n x n matrices
/// either, because the entries of T have a closed form; where that cancels, a column is multiplied out.
///
/// L stays orthogonal to rounding. The eigenvalues are right to rounding of the largest, so small ones have few digits.
/// Allocates in the constructor only.
class EigenUpdate {
 public:
  explicit EigenUpdate(std::size_t capacity);

  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }  // from one eigenvector to the next

  /// In descending order.
  std::span<const double> values() const { return {lambda_.data(), size_}; }
  const double* vector(std::size_t i) const { return rows_.data() + i * stride_; }

  /// G = diag(values), which must be in descending order.
  void reset(std::span<const double> values);

  /// Replaces the i-th eigenvalue and eigenvector by ones found elsewhere.
  void replace(std::size_t i, double value, const double* vector);

  /// Appends a row and a column of zeros to G.
  void grow();

  /// c = L^T v and v = L c. Both have room for padded(size()) numbers; those of v beyond size() must be finite.
  void to_eigenbasis(const double* v, double* c) const;
  void from_eigenbasis(const double* c, double* v) const;

  /// G *= c, c >= 0
  void scale(double c);

  /// G += rho v v^T
  void add(double rho, const double* v);

  /// G += h y^T + y h^T + g y y^T
  void add_pair(const double* h, const double* y, double g);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.size_);
    visit.require(self.size_ <= self.capacity_);
    visit.fixed(self.lambda_, self.rows_);
    visit.require([&] { return self.is_decomposition(); });
  }

 private:
  bool is_decomposition() const;
  void turn_by_first();
  void turn_by_second(bool rotated);
  bool complete(std::size_t column);
  void multiply_out(std::size_t column);
  void sort_turn();
  void apply_turn();

  std::size_t capacity_, stride_;
  std::size_t size_ = 0;
  std::vector<double> lambda_;
  std::vector<double> rows_;       // eigenvectors, one per row
  std::vector<double> next_rows_;  // L T while it is computed
  RankOneTerm first_, second_;
  std::vector<double> turn_;       // T: column c is the c-th new eigenvector in the eigenbasis
  std::vector<double> next_turn_;  // T_1 T_2 while it is computed from T_1
  std::vector<double> p_, q_;      // orthonormal vectors that span a term of rank two
  std::vector<double> z_;          // the term being added, in the eigenbasis
  std::vector<double> zero_;
  std::vector<double> work_;
  std::vector<std::uint32_t> order_;

  /// After the first term, which is sign w w^T in the basis from before it.
  struct AfterFirst {
    std::vector<double> start, shift;  // lambda = start + shift, start being a lambda from before
    std::vector<double> w;
    std::vector<double> w_products;  // w.t_c, t_c being the columns of T_1
  } after_first_;

  /// The columns v_c of T = T_1 T_2. With both terms in the basis from before the first, p w w^T and q u u^T (p, q one
  /// or minus one), v_c is the eigenvector of diag(base) + p w w^T + q u u^T with the eigenvalue mu_c:
  ///
  ///   (mu_c - base_i) v_ic = p w_i alpha_c + q u_i beta_c          alpha_c = w.v_c,  beta_c = u.v_c
  struct TwoTermColumns {
    std::vector<double> base;               // lambda from before the first term
    std::vector<double> u, u_size;          // u, and the sums of magnitudes that bound its rounding errors
    std::vector<double> alpha, alpha_size;  // the same for alpha
    std::vector<double> beta;
    std::vector<double> start, first_shift;   // mu_c = start + (first_shift + offset of the second term)
    std::vector<double> worst, second_worst;  // error bounds of the two most inexact entries of a column
    std::vector<double> worst_row;            // the row of the most inexact one
  } columns_;
};

}  // namespace bellwether
