#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// A d x k matrix M with one row of k contiguous numbers for every feature and a small k, as sketches and low-rank
/// learners keep it. Products with a feature vector x go row by row, so that a sparse x costs O(k active), not O(k d).
///
///   M^T x = sum_j x_j M_j         M += x s^T: M_j += x_j s         (M z)_j = M_j.z
class TallMatrix {
 public:
  TallMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), m_(rows * columns, 0.0) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double* row(std::size_t j) { return m_.data() + j * columns_; }
  const double* row(std::size_t j) const { return m_.data() + j * columns_; }

  /// y = M^T x
  template <class X>
  void transposed_times(const X& x, double* y) const {
    for (std::size_t i = 0; i < columns_; ++i) y[i] = 0;
    x.for_each([&](std::size_t j, double value) { kernels::axpy(value, row(j), y, columns_); });
  }
  void transposed_times(const DenseView& x, double* y) const;

  /// y = M z
  void times(const double* z, double* y) const;

  /// x.(M z)
  template <class X>
  double form(const X& x, const double* z) const {
    double sum = 0;
    x.for_each([&](std::size_t j, double value) { sum += value * kernels::dot(row(j), z, columns_); });
    return sum;
  }

  /// M += a x s^T
  template <class X>
  void add_outer(double a, const X& x, const double* s) {
    x.for_each([&](std::size_t j, double value) { kernels::axpy(a * value, s, row(j), columns_); });
  }

  static constexpr auto state() { return std::tuple{&TallMatrix::m_}; }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> m_;
};

}  // namespace bellwether
