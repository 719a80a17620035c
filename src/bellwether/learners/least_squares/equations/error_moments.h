#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include <bellwether/learners/least_squares/equations/key_sums.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// Second moments of the errors delta_t = target_t - d_t.v that any weights v would make on the steps so far:
///
///   mean_square(v) = 1/n sum_t delta_t^2
///   mean_traced(v) = 1/n sum_t delta_t h_t        h_t = gamma lambda h_{t-1} + delta_t
///
/// Errors that are noise are independent, and the two are equal. Where features cannot represent the values, an error
/// is followed by one of the opposite sign, and the second is smaller.
///
/// With u_t = (d_t, target_t) an error is a product u_t.(-v, 1), so that both are quadratic forms whose matrices are
/// sums over steps: (d + 1)^2 numbers each.
class ErrorMoments {
 public:
  explicit ErrorMoments(std::size_t dim)
      : entries_(dim),
        index_(dim + 1),
        value_(dim + 1),
        weights_(dim + 1),
        squares_(dim + 1, TraceRule::accumulating),
        traced_(dim + 1, TraceRule::accumulating) {}

  /// Adds a step, after which d.v should equal `target`; s.l is the lambda of `mean_traced`. A step whose numbers are
  /// out of range is left out.
  template <class X, class Guard>
  void add(const Transition<X, Guard>& s, double target) {
    const auto u = joined(entries_.difference(s.x, s.gn, s.xn), target);
    Transition<std::remove_const_t<decltype(u)>, Guard> step{.x = u,
                                                             .xn = u,
                                                             .r = 0,
                                                             .g = s.g,
                                                             .gn = 0,
                                                             .l = s.l,
                                                             .ln = s.ln,
                                                             .rho = 1,
                                                             .rhop = 1,
                                                             .pi = 1,
                                                             .pip = 1,
                                                             .i = 1,
                                                             .step = 1,
                                                             .guard = s.guard};
    const auto accepts = [](const auto&) { return true; };
    const auto take = [](const auto&) {};
    if (!traced_.add(step, accepts, take)) return;
    step.l = 0;
    squares_.add(step, accepts, take);
    ++steps_;
  }

  double mean_square(const double* v) { return mean(squares_, v); }
  double mean_traced(const double* v) { return mean(traced_, v); }

  static constexpr auto state() {
    return std::tuple{&ErrorMoments::squares_, &ErrorMoments::traced_, &ErrorMoments::steps_};
  }

 private:
  /// (d, target)
  DenseView joined(const DenseView& d, double target) {
    for (std::size_t j = 0; j < d.size; ++j) value_[j] = d.values[j];
    value_[d.size] = target;
    return {value_.data(), d.size + 1};
  }
  SparseView joined(const SparseView& d, double target) {
    for (std::size_t k = 0; k < d.size; ++k) {
      index_[k] = d.indices[k];
      value_[k] = d.values[k];
    }
    index_[d.size] = static_cast<std::uint32_t>(weights_.size() - 1);
    value_[d.size] = target;
    return {index_.data(), value_.data(), d.size + 1};
  }

  double mean(const KeySums& sums, const double* v) {
    const std::size_t n = weights_.size() - 1;
    for (std::size_t j = 0; j < n; ++j) weights_[j] = -v[j];
    weights_[n] = 1;
    double sum = 0;
    for (std::size_t j = 0; j <= n; ++j) {
      if (weights_[j] != 0) sum += weights_[j] * kernels::dot(sums.column(j), weights_.data(), n + 1);
    }
    return steps_ == 0 ? 0 : sum / static_cast<double>(steps_);
  }

  EntryList entries_;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_, weights_;
  KeySums squares_, traced_;  // sum u u^T and sum (the trace of u) u^T
  std::uint64_t steps_ = 0;
};

}  // namespace bellwether
