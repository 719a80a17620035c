#include <bellwether/model/log_statistics.h>

#include <algorithm>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

std::vector<double> mean(std::vector<double> sum, std::uint64_t count) {
  if (count > 0) kernels::scale(1 / static_cast<double>(count), sum.data(), sum.size());
  return sum;
}

void add_row(const Features& x, std::vector<double>& sum) {
  visit(x, [&](const auto& row) { kernels::axpy(1.0, row, sum.data()); });
}

}  // namespace

LogStatistics::LogStatistics(std::size_t dim, std::size_t rewards, std::size_t halves)
    : low_(rewards, infinity),
      high_(rewards, -infinity),
      sum_(dim, 0.0),
      visits_(dim, 0.0),
      start_sums_(halves + 1, std::vector<double>(dim, 0.0)),
      starts_(halves + 1, 0) {}

template <class X>
void LogStatistics::add_states(const FeatureRows& x, const std::vector<double>& rho) {
  double* const __restrict sum = sum_.data();  // without this, nothing is added in parallel
  double* const __restrict visits = visits_.data();
  for (std::size_t t = 0; t < x.rows; ++t) {
    const double counts = rho.empty() ? 1.0 : std::min(rho[t], 1.0);
    x.as<X>(t).for_each([&](std::size_t j, double value) {
      sum[j] += value;
      visits[j] += counts * value * value;
    });
  }
}

void LogStatistics::add(const StepBlock& steps, const std::vector<Segment>& segments, const Episodes& episodes) {
  const FeatureRows x = steps.x.view();
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const double rho = steps.rho.empty() ? 1.0 : steps.rho[t];
    samples_.add(rho);
    largest_ratio_ = std::max(largest_ratio_, rho);
  }
  switch (x.layout) {
    case Layout::dense: add_states<DenseView>(x, steps.rho); break;
    case Layout::sparse: add_states<SparseView>(x, steps.rho); break;
    case Layout::binary: add_states<BinaryView>(x, steps.rho); break;
  }
  for (std::size_t k = 0; k < low_.size(); ++k) {
    for (const double r : steps.rewards[k]) {
      low_[k] = std::min(low_[k], r);
      high_[k] = std::max(high_[k], r);
    }
  }
  for (const Segment& segment : segments) {
    if (!segment.begins || segment.jumps) continue;
    const std::uint64_t halves = starts_.size() > 1 ? episodes.halves(segment.unit) : 0;
    for (std::size_t h = 0; h < starts_.size(); ++h) {
      if (h > 0 && (halves >> (h - 1) & 1U) == 0) continue;
      add_row(x.row(segment.first), start_sums_[h]);
      ++starts_[h];
    }
  }
  steps_ += steps.size();
}

bool LogStatistics::fits() const {
  return start_sums_.size() == starts_.size() &&
         std::all_of(start_sums_.begin(), start_sums_.end(),
                     [&](const auto& sum) { return sum.size() == sum_.size(); });
}

void LogStatistics::absorb(const LogStatistics& other) {
  steps_ += other.steps_;
  samples_.add(other.samples_);
  largest_ratio_ = std::max(largest_ratio_, other.largest_ratio_);
  for (std::size_t k = 0; k < low_.size(); ++k) {
    low_[k] = std::min(low_[k], other.low_[k]);
    high_[k] = std::max(high_[k], other.high_[k]);
  }
  kernels::axpy(1.0, other.sum_.data(), sum_.data(), sum_.size());
  kernels::axpy(1.0, other.visits_.data(), visits_.data(), visits_.size());
  for (std::size_t h = 0; h < starts_.size(); ++h) {
    kernels::axpy(1.0, other.start_sums_[h].data(), start_sums_[h].data(), sum_.size());
    starts_[h] += other.starts_[h];
  }
}

std::size_t LogStatistics::never_active() const {
  return static_cast<std::size_t>(std::count(visits_.begin(), visits_.end(), 0.0));
}

std::vector<double> LogStatistics::mean_start(std::size_t half) const { return mean(start_sums_[half], starts_[half]); }

std::vector<double> LogStatistics::mean_state() const { return mean(sum_, steps_); }

}  // namespace bellwether
