#include <bellwether/results/curve_block.h>

#include <cassert>

namespace bellwether {

namespace {

/// Calls f(mean, m2, index of metric, index of point) for every point.
template <class F>
void for_each_point(CurveBlock& block, F&& f) {
  for (std::size_t m = 0; m < block.mean.size(); ++m) {
    for (std::size_t i = 0; i < block.mean[m].size(); ++i) f(block.mean[m][i], block.m2[m][i], m, i);
  }
}

}  // namespace

void add(CurveBlock& block, const Curves& run) {
  if (block.runs == 0) {
    block.mean = block.m2 = run;
    for_each_point(block, [](double& mean, double& m2, std::size_t, std::size_t) { mean = m2 = 0; });
  }
  assert(run.size() == block.mean.size());
  const auto n = static_cast<double>(++block.runs);
  for_each_point(block, [&](double& mean, double& m2, std::size_t m, std::size_t i) {
    const double d = run[m][i] - mean;
    mean += d / n;
    m2 += d * (run[m][i] - mean);
  });
}

void add(CurveBlock& block, const CurveBlock& other) {
  if (other.runs == 0) return;
  if (block.runs == 0) {
    block = other;
    return;
  }
  assert(other.mean.size() == block.mean.size());
  const auto na = static_cast<double>(block.runs);
  const auto nb = static_cast<double>(other.runs);
  const double n = na + nb;
  for_each_point(block, [&](double& mean, double& m2, std::size_t m, std::size_t i) {
    const double d = other.mean[m][i] - mean;
    mean += d * nb / n;
    m2 += other.m2[m][i] + d * d * na * nb / n;
  });
  block.runs += other.runs;
}

}  // namespace bellwether
