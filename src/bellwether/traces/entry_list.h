#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <bellwether/core/features.h>

namespace bellwether {

/// The index and the value of the k-th stored entry.
inline std::size_t index_of(const DenseView&, std::size_t k) { return k; }
inline std::size_t index_of(const SparseView& x, std::size_t k) { return x.indices[k]; }
inline std::size_t index_of(const BinaryView& x, std::size_t k) { return x.indices[k]; }

inline double value_of(const DenseView& x, std::size_t k) { return x.values[k]; }
inline double value_of(const SparseView& x, std::size_t k) { return x.values[k]; }
inline double value_of(const BinaryView&, std::size_t) { return 1.0; }

/// Other values at the indices of x.
inline DenseView with_values(const DenseView& x, const double* values) { return {values, x.size}; }
inline SparseView with_values(const SparseView& x, const double* values) { return {x.indices, values, x.size}; }
inline SparseView with_values(const BinaryView& x, const double* values) { return {x.indices, values, x.size}; }

/// The few entries that a step is about: the vectors u = x and u = x - g x' as one list with each index once, so that
/// one loop visits every entry of u. Dense vectors stay dense. A view that is returned is valid until the next call.
class EntryList {
 public:
  explicit EntryList(std::size_t dim) : indices_(dim), u_(dim), x_(dim, 0.0), position_(dim, nowhere) {}

  /// u = x
  DenseView only(const DenseView& x) { return x; }
  SparseView only(const SparseView& x) { return x; }
  SparseView only(const BinaryView& x) {
    for (std::size_t k = 0; k < x.size; ++k) u_[k] = 1;
    return {x.indices, u_.data(), x.size};
  }

  /// u = x - g x'
  DenseView difference(const DenseView& x, double g, const DenseView& xn) {
    for (std::size_t j = 0; j < x.size; ++j) u_[j] = x.values[j] - g * xn.values[j];
    return {u_.data(), x.size};
  }
  template <class X>
  SparseView difference(const X& x, double g, const X& xn) {
    std::size_t n = 0;
    const auto append = [&](std::size_t j, double u, double value) {
      position_[j] = static_cast<std::uint32_t>(n);
      indices_[n] = static_cast<std::uint32_t>(j);
      u_[n] = u;
      x_[n++] = value;
    };
    x.for_each([&](std::size_t j, double value) { append(j, value, value); });
    xn.for_each([&](std::size_t j, double value) {
      if (position_[j] == nowhere) append(j, -g * value, 0.0);
      else u_[position_[j]] -= g * value;
    });
    for (std::size_t k = 0; k < n; ++k) position_[indices_[k]] = nowhere;
    return {indices_.data(), u_.data(), n};
  }

  /// x_j for every entry of the difference last made.
  const double* x_of_difference(const DenseView& x) const { return x.values; }
  template <class X>
  const double* x_of_difference(const X&) const {
    return x_.data();
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffff;

  std::vector<std::uint32_t> indices_;
  std::vector<double> u_, x_;
  std::vector<std::uint32_t> position_;  // of index j in the list being made
};

}  // namespace bellwether
