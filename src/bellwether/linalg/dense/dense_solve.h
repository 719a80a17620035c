#pragma once

#include <memory>

#include <Eigen/Core>

namespace bellwether {

// Dense linear systems of any size, solved by Eigen. Its decompositions take seconds to compile, so they are compiled
// here and nowhere else.

/// The factors P A = L U of a square matrix, by elimination with partial pivoting: O(n^3), and O(n^2) for each
/// solution.
class LuFactors {
 public:
  explicit LuFactors(const Eigen::MatrixXd& A);
  ~LuFactors();
  LuFactors(LuFactors&&) noexcept;
  LuFactors& operator=(LuFactors&&) noexcept;

  /// A^-1 b. Its entries are not finite if a pivot is zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

  /// An estimate of 1 / (|A| |A^-1|) in the 1-norm: near 0 when A is nearly singular.
  double reciprocal_condition() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// The shortest x that minimises |A x - b|. Pivots below `threshold` times the largest are taken for zero.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold);

/// Orthonormal columns that span the columns of A, with the same threshold.
Eigen::MatrixXd column_basis(const Eigen::MatrixXd& A, double threshold);

}  // namespace bellwether
