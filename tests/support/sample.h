#pragma once

#include <cmath>
#include <cstddef>

namespace bellwether::testing {

/// Mean and standard error of independent numbers (Welford's recursion).
class Sample {
 public:
  void add(double value) {
    ++size_;
    const double difference = value - mean_;
    mean_ += difference / static_cast<double>(size_);
    squares_ += difference * (value - mean_);
  }

  std::size_t size() const { return size_; }
  double mean() const { return mean_; }
  double variance() const { return squares_ / static_cast<double>(size_ - 1); }
  double standard_error() const { return std::sqrt(variance() / static_cast<double>(size_)); }

 private:
  std::size_t size_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace bellwether::testing
