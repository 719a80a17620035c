#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bellwether {

/// The eigenvalues and eigenvectors of a symmetric matrix G that changes by a term at a time:
///
///   G = L diag(lambda) L^T                  G += rho v v^T,   G += h y^T + y h^T + g y y^T
///
/// In the eigenbasis, with z = L^T v, the first is diag(lambda) + rho z z^T, whose eigenvectors T follow from the
/// secular equation (linalg/svd/secular.h) in O(n^2); then L = L T, one product of n x n matrices. Components of z that
/// are too small to matter, and one of each two lambdas that are equal, stay out of it (deflation, as LAPACK's dlaed2).
///
/// The second is of rank two. Its eigenvectors in the eigenbasis, T = T_1 T_2, need no product either, because entries
/// of a product of two such matrices have a closed form; where that cancels, the column is multiplied out.
///
/// L stays orthogonal to rounding. The eigenvalues are right to rounding of the largest, so small ones have few digits.
/// Allocates in the constructor only.
class EigenUpdate {
 public:
  explicit EigenUpdate(std::size_t capacity);

  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }  // from one eigenvector to the next

  /// Descending.
  std::span<const double> values() const { return {lambda_.data(), size_}; }
  const double* vector(std::size_t i) const { return rows_.data() + i * stride_; }

  /// G = diag(values), which have to be descending.
  void reset(std::span<const double> values);

  /// Puts a value and vector found elsewhere in the place of the i-th.
  void replace(std::size_t i, double value, const double* vector);

  /// A row and a column of zeros at the end of G.
  void grow();

  /// c = L^T v and v = L c. Room for a multiple of eight numbers; those of v beyond size() have to be finite.
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
  }

 private:
  /// What a term of rank one does to a diagonal matrix.
  struct Term {
    Term(std::size_t capacity, std::size_t stride);

    double sign = 1;
    std::size_t kept = 0;                    // components that take part; the others are deflated
    std::vector<std::uint32_t> kept_places;  // in lambda
    std::vector<std::uint32_t> deflated_places;
    std::vector<double> z;            // sign z z^T is the term, for the kept components
    std::vector<std::uint32_t> near;  // new eigenvalue c is lambda[near_c] + offset_c
    std::vector<double> offset;
    std::vector<double> factor;   // - sign factor_c is the product of z with the c-th new eigenvector
    std::vector<double> vectors;  // kept x kept: column c is the c-th new eigenvector
  };

  template <class Rotate>
  bool solve(Term& term, double rho, double* z, double* high, double* low, Rotate rotate);
  template <class Rotate>
  void deflate(Term& term, double rho, double tolerance, double* z, double* high, double* low, Rotate rotate);
  void turn_by_first();
  void turn_by_second(bool rotated);
  bool complete(std::size_t column);
  void multiply_out(std::size_t column);
  void sort_turn();
  void apply_turn();

  std::size_t capacity_, stride_;
  std::size_t size_ = 0;
  std::vector<double> lambda_;
  std::vector<double> rows_;   // eigenvectors, one a row
  std::vector<double> other_;  // where the next ones are written
  Term first_, second_;
  std::vector<double> turn_;  // T: column c is the c-th new eigenvector in the eigenbasis
  std::vector<double> next_turn_;
  std::vector<double> base_;                 // lambda before the first term
  std::vector<double> start_, first_shift_;  // the eigenvalue in between is start + first_shift, start one of base_
  std::vector<double> pole_, pole_low_, near_, near_low_, zero_, weight_, secular_offset_;
  std::vector<std::uint32_t> secular_near_, order_;
  std::vector<double> p_, q_, z_, w_, u_, alpha_, beta_, u_size_, alpha_size_, w_products_, second_start_,
      second_first_, work_;
  std::vector<double> worst_, next_worst_, worst_place_;  // errors of the columns of T
};

}  // namespace bellwether
