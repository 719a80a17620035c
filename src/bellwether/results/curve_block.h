#pragma once

#include <cstdint>
#include <vector>

namespace bellwether {

/// Curves of one run: [metric][point].
using Curves = std::vector<std::vector<double>>;

/// Mean and spread of curves over runs that did not diverge, in a form in which blocks can be joined.
///
///   mean = sum_i c_i / n        m2 = sum_i (c_i - mean)^2        variance = m2 / (n - 1)
struct CurveBlock {
  std::uint64_t runs = 0;
  Curves mean;  // [metric][point]
  Curves m2;
};

/// Adds one run (Welford):  d = c - mean,  mean += d / n,  m2 += d (c - mean).
///
/// A floating-point sum depends on its order. Add runs in the order of their seeds and blocks in the order of their
/// numbers, and the result has the same bits whatever finished first.
void add(CurveBlock& block, const Curves& run);

/// Adds the runs of another block (Chan, Golub, LeVeque 1979):
///
///   d = mean_b - mean_a,  mean_a += d n_b / n,  m2_a += m2_b + d^2 n_a n_b / n
void add(CurveBlock& block, const CurveBlock& other);

}  // namespace bellwether
