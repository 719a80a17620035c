#include <bellwether/linalg/simd/values.h>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

namespace {

/// Sums in the order of kernels::dot: eight interleaved partial sums where x is dense, one otherwise.
BELLWETHER_INLINE Eight dot(const DenseView& x, const double* lanes) {
  Eight part[Eight::width] = {};
  for (std::size_t j = 0; j < x.size; ++j) part[j % 8] += x.values[j] * Eight::load(lanes + 8 * j);
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}
BELLWETHER_INLINE Eight dot(const SparseView& x, const double* lanes) {
  Eight sum{};
  for (std::size_t i = 0; i < x.size; ++i) sum += x.values[i] * Eight::load(lanes + 8 * std::size_t{x.indices[i]});
  return sum;
}
BELLWETHER_INLINE Eight dot(const BinaryView& x, const double* lanes) {
  Eight sum{};
  for (std::size_t i = 0; i < x.size; ++i) sum += Eight::load(lanes + 8 * std::size_t{x.indices[i]});
  return sum;
}

template <class X>
BELLWETHER_INLINE void eight_values(const FeatureRows& rows, const double* lanes, double* values) {
  for (std::size_t i = 0; i < rows.rows; ++i) dot(rows.as<X>(i), lanes).store(values + 8 * i);
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
