#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
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

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    for (auto& node : self.tree_) {  // as bits, because leaves without a number are not finite
      auto bits = std::bit_cast<std::uint64_t>(node);
      visit(bits);
      if constexpr (!std::is_const_v<Self>) node = std::bit_cast<double>(bits);
    }
    visit.require([&] { return self.consistent(); });
  }

 private:
  bool consistent() const {
    for (std::size_t j = 0; j < leaves_; ++j) {
      const double leaf = tree_[leaves_ + j];
      if (j < size_ ? !std::isfinite(leaf) : leaf != -std::numeric_limits<double>::infinity()) return false;
    }
    for (std::size_t node = 1; node < leaves_; ++node) {
      if (tree_[node] != std::max(tree_[2 * node], tree_[2 * node + 1])) return false;
    }
    return true;
  }

  std::size_t size_;
  std::size_t leaves_;
  std::vector<double> tree_;  // node i has the children 2i and 2i + 1; the root is 1
};

}  // namespace bellwether
