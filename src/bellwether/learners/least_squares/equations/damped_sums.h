#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include <bellwether/learners/least_squares/equations/summed_equations.h>

namespace bellwether {

/// LSTD's equations, summed, and their damped solution
///
///   v = argmin sum_i (b - S v)_i^2 / N_i + damping |x|^2 |v|^2        |x|^2 its mean over the steps
///
/// which DampedLog is for stored steps and DampedLeastSquares approaches by iterations. Here it is found exactly.
class DampedSums {
 public:
  DampedSums(std::size_t dim, TraceRule rule) : equations_(dim, rule) {}

  /// Adds a step, after which d.v is to equal `target`. False, and nothing is added, if its numbers are out of range.
  template <class X, class Guard>
  bool add(const Transition<X, Guard>& s, double target) {
    if (!equations_.add(s, target)) return false;
    squares_ += kernels::squared_norm(s.x);
    ++steps_;
    return true;
  }

  void merge(const DampedSums& other) {
    equations_.merge(other.equations_);
    squares_ += other.squares_;
    steps_ += other.steps_;
  }

  /// v, by a QR decomposition of the 2 d x d matrix of the problem: O(d^3). Allocates. Zeros if no step was added.
  std::vector<double> solution(double damping) const;

  static constexpr auto state() {
    return std::tuple{&DampedSums::equations_, &DampedSums::squares_, &DampedSums::steps_};
  }

 private:
  SummedEquations equations_;
  double squares_ = 0;  // sum |x|^2
  std::uint64_t steps_ = 0;
};

}  // namespace bellwether
