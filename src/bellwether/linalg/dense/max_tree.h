#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

namespace bellwether {

/// Numbers y_0 .. y_{n-1}, initially zero, and their maximum. They are the leaves of a binary tree whose inner nodes
/// hold the larger of their children: a change costs O(log n), even one that lowers the maximum.
class MaxTree {
 public:
  explicit MaxTree(std::size_t n)
      : size_(n), leaves_(std::bit_ceil(n)), tree_(2 * leaves_, -std::numeric_limits<double>::infinity()) {
    assign_all([](std::size_t, double) { return 0.0; });
  }

  double operator[](std::size_t j) const { return tree_[leaves_ + j]; }
  double largest() const { return tree_[1]; }

  /// y_j = value
  void assign(std::size_t j, double value) {
    std::size_t node = leaves_ + j;
    tree_[node] = value;
    while (node > 1) {
      node /= 2;
      const double larger = std::max(tree_[2 * node], tree_[2 * node + 1]);
      if (tree_[node] == larger) return;
      tree_[node] = larger;
    }
  }

  /// y_j = f(j, y_j) for all j. O(n)
  template <class F>
  void assign_all(F&& f) {
    for (std::size_t j = 0; j < size_; ++j) tree_[leaves_ + j] = f(j, tree_[leaves_ + j]);
    for (std::size_t node = leaves_; node-- > 1;) tree_[node] = std::max(tree_[2 * node], tree_[2 * node + 1]);
  }

  static constexpr auto state() { return std::tuple{&MaxTree::tree_}; }

 private:
  std::size_t size_;
  std::size_t leaves_;
  std::vector<double> tree_;  // node i has the children 2i and 2i + 1; the root is 1
};

}  // namespace bellwether
