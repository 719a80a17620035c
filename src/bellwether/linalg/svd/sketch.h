#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/linalg/dense/tall_matrix.h>

namespace bellwether {

/// How a sketch is drawn. Columns of the first three have length 1, the Gaussian ones in the mean, and E[S^T S] = I:
/// inner products are preserved up to noise of relative size 1/sqrt(k).
enum class SketchKind : std::uint8_t {
  gaussian,      // S_ij ~ N(0, 1/k)
  count_sketch,  // column j has a single entry, +1 or -1, in a random row
  srht,          // S_ij = s_j h_ij / sqrt(k): random signs s, k random rows h of a Hadamard matrix
  aggregation,   // means of blocks: S_ij = 1/n_i for the n_i features j of block i
};
constexpr auto names(SketchKind) { return std::array{"gaussian", "count_sketch", "srht", "aggregation"}; }

/// A random linear map S from R^d to R^k, 0 < k <= d, drawn from a seed: the same seed gives the same map, and maps
/// with different `number` are independent.
///
///                  memory   S x sparse       S x dense      S^T y
///   gaussian       k d      k active         k d            k d
///   count_sketch   d        active           d              d
///   srht           d        k active         d log d        d log d
///   aggregation    1        active           d              d
///
/// srht: h_ij = (-1)^(number of bits that i and j share), D x D with D the smallest power of two >= d; features
/// d .. D-1 are 0. The k rows are distinct, so S S^T = (D/k) I for D = d; k = d = D is a rotation.
///
/// aggregation: the features, arranged in a circle, are cut into k blocks whose lengths differ by at most one; the
/// first cut is at a random position. It is for features whose neighbours mean similar things, such as tiles; columns
/// have length 1/n_i, not 1. k = d is a permutation.
///
/// Copies share the drawn numbers. Nothing is allocated after construction.
class Sketch {
 public:
  Sketch(SketchKind kind, std::size_t rows, std::size_t columns, std::uint64_t seed, std::uint64_t number = 0);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  /// The length of `work` that the functions below need; 0 except for srht.
  std::size_t workspace() const { return workspace_; }

  /// y = S x
  template <class X>
  void apply(const X& x, double* y, double*) const {
    if (kind_ == SketchKind::gaussian) return drawn_->entries.transposed_times(x, y);
    for (std::size_t i = 0; i < rows_; ++i) y[i] = 0;
    x.for_each([&](std::size_t j, double value) { add_column(j, value, y); });
  }
  void apply(const DenseView& x, double* y, double* work) const;

  /// x = S^T y
  void apply_transposed(const double* y, double* x, double* work) const;

 private:
  struct Drawn {
    TallMatrix entries;                // gaussian: S^T
    std::vector<std::uint32_t> cells;  // count_sketch: 2 row + (1 for -1) of feature j; srht: the rows kept
    std::vector<double> signs;         // srht: s_j / sqrt(k)
    std::size_t first = 0;             // aggregation: the position of feature 0 in the circle
  };

  /// y += value S_j for one column of a sketch that is not Gaussian.
  void add_column(std::size_t j, double value, double* y) const;

  /// The first position in the circle that belongs to block i, and the block of feature j.
  std::size_t block_start(std::size_t i) const { return (i * columns_ + rows_ - 1) / rows_; }
  std::size_t block(std::size_t j) const { return (j + drawn_->first) % columns_ * rows_ / columns_; }
  double block_size(std::size_t i) const { return static_cast<double>(block_start(i + 1) - block_start(i)); }

  /// Calls `f(i, j)` for every feature j of every block i, block after block.
  template <class F>
  void for_each_in_blocks(F&& f) const {
    std::size_t j = (columns_ - drawn_->first) % columns_;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t position = block_start(i); position < block_start(i + 1); ++position) {
        f(i, j);
        j = j + 1 == columns_ ? 0 : j + 1;
      }
    }
  }

  SketchKind kind_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t workspace_;
  std::shared_ptr<const Drawn> drawn_;
};

/// y = H y for the n x n Hadamard matrix H_ij = (-1)^(bits that i and j share), n a power of two. O(n log n).
void walsh_hadamard(double* y, std::size_t n);

}  // namespace bellwether
