#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/core/features.h>

namespace bellwether {

/// C = 1/n sum x x^T of n rows, for many products with vectors. Logs repeat their rows, so that the inner product of v
/// with a row is computed once for all rows that are equal. The sums over rows are taken feature by feature, several
/// features at a time, and each in the order of the rows: a product has the bits of
///
///     for each row x: y += (x^T v / n) x
///
/// An iterative solver that is stopped early amplifies rounding, so other bits would be other digits of its result.
class Covariance {
 public:
  /// The rows must live as long as this.
  explicit Covariance(const FeatureRows& x);

  /// y = C v
  void times(const std::vector<double>& v, std::vector<double>& y);

 private:
  void find_distinct_rows();
  void sort_by_feature();
  template <bool ones>
  void add_rows(double* y) const;

  FeatureRows x_;
  bool ones_ = true;                     // no value but 1 occurs
  std::vector<std::uint32_t> first_;     // of each distinct row, the first row that is equal to it
  std::vector<std::uint32_t> distinct_;  // of each row, which of these it is
  std::vector<double> products_;         // x^T v / n of each distinct row, or of each row of a dense table

  std::vector<std::uint32_t> features_;  // those that occur, the most frequent first
  std::vector<std::size_t> begin_;       // of each of them, where its entries begin; then the end of the last
  std::vector<std::uint32_t> rows_;      // of each entry, the distinct row
  std::vector<double> values_;           // and the value, unless all are 1
};

}  // namespace bellwether
