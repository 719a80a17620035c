#pragma once

#include <span>
#include <vector>

#include <bellwether/learners/support/entry_list.h>
#include <bellwether/learners/support/trace_rule.h>

namespace bellwether {

/// The sums that determine LSTD's weights, formed as they are defined:
///
///   S += e d^T             d = x - gamma' x'
///   b += (r - d.w) e
///
/// S is stored by columns: a sample costs O(|e| |d|) with sparse features, and a column, all that a change of one
/// weight concerns, is contiguous.
class KeySums {
 public:
  KeySums(std::size_t dim, TraceRule rule)
      : dim_(dim), S_(dim * dim, 0.0), b_(dim, 0.0), e_(dim), mover_(rule), entries_(dim), index_(dim), value_(dim) {}

  /// False, and nothing has changed, when the numbers of the step leave the range of finite numbers.
  template <class X>
  bool add(const Transition<X>& s, const double* w) {
    const Motion m = mover_.next(s);
    const auto d = entries_.difference(s.x, s.gn, s.xn);
    const double error = s.r - kernels::dot(d, w);
    double largest = 0;
    s.x.for_each([&](std::size_t, double value) { largest += std::abs(value); });
    d.for_each([&](std::size_t, double value) { largest += std::abs(value); });
    if (!bounded(error, largest, e_.mass_after(m))) return false;
    mover_.move(e_, m, s.x);
    const auto e = trace(s.x);
    kernels::axpy(error, e, b_.data());
    d.for_each([&](std::size_t j, double value) {
      if (value != 0) kernels::axpy(value, e, S_.data() + j * dim_);
    });
    return true;
  }

  /// S_0j .. S_{d-1}j
  const double* column(std::size_t j) const { return S_.data() + j * dim_; }

  std::vector<double>& b() { return b_; }
  const std::vector<double>& b() const { return b_; }

 private:
  DenseView trace(const DenseView&) {
    e_.for_each([&](std::size_t j, double value) { value_[j] = value; });
    return {value_.data(), dim_};
  }
  template <class X>
  SparseView trace(const X&) {
    std::size_t n = 0;
    e_.for_each([&](std::size_t j, double value) {
      index_[n] = static_cast<std::uint32_t>(j);
      value_[n++] = value;
    });
    return {index_.data(), value_.data(), n};
  }

  std::size_t dim_;
  std::vector<double> S_;
  std::vector<double> b_;
  FollowedTrace<0> e_;
  TraceMover mover_;
  EntryList entries_;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
};

}  // namespace bellwether
