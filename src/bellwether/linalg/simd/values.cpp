#include <bellwether/linalg/simd/values.h>

#include <algorithm>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

namespace {

// Sums have the order of kernels::dot: eight interleaved partial sums where x is dense, one otherwise.

BELLWETHER_INLINE Eight dot(const DenseView& x, const double* lanes) {
  Eight part[Eight::width] = {};
  for (std::size_t j = 0; j < x.size; ++j) part[j % 8] += x.values[j] * Eight::load(lanes + 8 * j);
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

/// What feature i of a view adds to the sum.
BELLWETHER_INLINE Eight term(const SparseView& x, std::size_t i, const double* lanes) {
  return x.values[i] * Eight::load(lanes + 8 * std::size_t{x.indices[i]});
}
BELLWETHER_INLINE Eight term(const BinaryView& x, std::size_t i, const double* lanes) {
  return Eight::load(lanes + 8 * std::size_t{x.indices[i]});
}

/// The sums of several rows at once, as each addition waits for the one before it in its row.
template <class X, std::size_t Rows>
BELLWETHER_INLINE void add_up(const FeatureRows& rows, std::size_t first, const double* lanes, double* values) {
  X x[Rows];
  Eight sums[Rows];
  std::size_t common = rows.length(first);
  for (std::size_t r = 0; r < Rows; ++r) {
    x[r] = rows.as<X>(first + r);
    sums[r] = Eight{};
    common = std::min(common, x[r].size);
  }
  for (std::size_t i = 0; i < common; ++i) {
    for (std::size_t r = 0; r < Rows; ++r) sums[r] += term(x[r], i, lanes);
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t i = common; i < x[r].size; ++i) sums[r] += term(x[r], i, lanes);
    sums[r].store(values + 8 * (first + r));
  }
}

template <class X>
BELLWETHER_INLINE void eight_values(const FeatureRows& rows, const double* lanes, double* values) {
  constexpr std::size_t together = 4;
  std::size_t i = 0;
  for (; i + together <= rows.rows; i += together) add_up<X, together>(rows, i, lanes, values);
  for (; i < rows.rows; ++i) add_up<X, 1>(rows, i, lanes, values);
}
template <>
BELLWETHER_INLINE void eight_values<DenseView>(const FeatureRows& rows, const double* lanes, double* values) {
  for (std::size_t i = 0; i < rows.rows; ++i) dot(rows.as<DenseView>(i), lanes).store(values + 8 * i);
}

}  // namespace

void values_of(const FeatureRows& rows, std::span<const double> w, std::span<double> values) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    values[i] = visit(rows.row(i), [&](const auto& x) { return kernels::dot(x, w.data()); });
  }
}

BELLWETHER_SIMD void eight_values_of(const FeatureRows& rows, std::span<const double> lanes, std::span<double> values) {
  switch (rows.layout) {
    case Layout::dense: return eight_values<DenseView>(rows, lanes.data(), values.data());
    case Layout::sparse: return eight_values<SparseView>(rows, lanes.data(), values.data());
    default: return eight_values<BinaryView>(rows, lanes.data(), values.data());
  }
}

}  // namespace bellwether
