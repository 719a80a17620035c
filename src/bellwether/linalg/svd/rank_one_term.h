#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bellwether {

/// The eigenvalues and eigenvectors of a diagonal matrix plus a term of rank one,
///
///   diag(lambda) + rho z z^T = Q diag(mu) Q^T
///
/// in O(n^2) from the secular equation (linalg/svd/secular.h). Components of z that are too small to matter, and one of
/// each two that belong to equal lambdas, do not take part in it (deflation, as in LAPACK's dlaed2): they keep their
/// eigenvalue, and their column of Q is a unit vector. Allocates in the constructor only.
struct RankOneTerm {
  explicit RankOneTerm(std::size_t capacity);

  /// Two eigenvectors, i and j, to be turned: (x_i, x_j) = (c x_i + s x_j, c x_j - s x_i). Makes z_i zero where
  /// lambda_i and lambda_j are equal.
  struct Rotation {
    std::uint32_t i, j;
    double c, s;
  };

  /// Solves for lambda = high + low, n numbers in descending order; a sum, so that lambdas that are roots of another
  /// such equation keep their small distances. Scales z to length one and applies `rotations` to z and lambda; the
  /// caller applies them to its basis. False, with no rotations, when the term is too small to matter.
  bool solve(std::size_t n, double rho, double* z, double* high, double* low);

  // What `solve` found:
  std::vector<Rotation> rotations;  // in this order
  std::size_t kept = 0;             // components that take part, in descending order of lambda
  std::vector<std::uint32_t> kept_index;
  std::vector<std::uint32_t> deflated_index;  // those that do not
  double sign = 1;                            // the term is sign z z^T with the z below, for the kept components
  std::vector<double> z;
  std::vector<std::uint32_t> near;  // mu_c = lambda[near_c] + offset_c
  std::vector<double> offset;
  std::vector<double> factor;   // z.q_c = - sign factor_c
  std::vector<double> vectors;  // kept x kept, rows padded(capacity) apart: column c is q_c

 private:
  void deflate(std::size_t n, double rho, double tolerance, double* z, double* high, double* low);
  void find_roots(double rho, double largest, const double* z, const double* high, const double* low);
  void find_vectors(double largest, const double* high, const double* low);

  std::size_t stride_;
  /// The secular equation: its poles, the poles nearest to the roots, and the weights z^2, later z.
  struct Equation {
    std::vector<double> pole, pole_low, nearest, nearest_low, weight, offset;
    std::vector<std::uint32_t> near;
    std::vector<double> room;
  } equation_;
};

}  // namespace bellwether
