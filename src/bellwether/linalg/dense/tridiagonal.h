#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

namespace bellwether {

/// A tridiagonal matrix T that grows and that equations are solved with. It need not be symmetric, definite or
/// diagonally dominant: elimination exchanges neighbouring rows where the lower one has the larger pivot, which leaves
/// up to two entries right of the diagonal and keeps factors below 1. O(n) for a solution.
class Tridiagonal {
 public:
  /// T = a I
  Tridiagonal(std::size_t n, double a);

  std::size_t size() const { return diagonal_.size(); }

  /// T_ij += value, |i - j| <= 1
  void add(std::size_t i, std::size_t j, double value) {
    if (i == j) diagonal_[i] += value;
    else if (i > j) lower_[j] += value;
    else upper_[i] += value;
  }

  /// y = T^-1 y. False when T is singular to working precision: a pivot is below 1e-14 times the row it comes from, and
  /// y is then undefined.
  bool solve(double* y);

  static constexpr auto state() {
    return std::tuple{&Tridiagonal::lower_, &Tridiagonal::diagonal_, &Tridiagonal::upper_};
  }

 private:
  std::vector<double> lower_;     // T_{i+1,i}
  std::vector<double> diagonal_;  // T_ii
  std::vector<double> upper_;     // T_{i,i+1}
  std::vector<double> r0_, r1_,
      r2_;  // while solving: 1 / the diagonal of the triangle, and the two entries right of it
};

}  // namespace bellwether
