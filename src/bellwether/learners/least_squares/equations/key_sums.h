#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <bellwether/learners/least_squares/equations/recorded_steps.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

/// The matrix of LSTD's equations, summed as it is defined:
///
///   S += e d^T             d = x - gamma' x'
///
/// The right-hand sides s += (r - d.w) e belong to the learners, several of which may share one S.
/// S is stored by columns: a sample costs O(|e| |d|) with sparse features, and a column, which is all that a change of
/// one weight needs, is contiguous.
class KeySums {
 public:
  KeySums(std::size_t dim, TraceRule rule)
      : dim_(dim), S_(dim * dim, 0.0), e_(dim), mover_(rule), entries_(dim), index_(dim), value_(dim) {}

  std::size_t dim() const { return dim_; }

  /// Adds a sample, `weight` times, unless the numbers of the step are out of range or `accepts(d)` is false: then it
  /// returns false, and nothing has changed. Calls `take(e)` at the end.
  template <class Step, class Accepts, class Take>
  bool add(const Step& s, Accepts&& accepts, Take&& take, double weight = 1) {
    const Motion m = mover_.next(s);
    const auto d = entries_.difference(s.x, s.gn, s.xn);
    double largest = 0;
    s.x.for_each([&](std::size_t, double value) { largest += std::abs(value); });
    d.for_each([&](std::size_t, double value) { largest += std::abs(value); });
    if (!s.allows(largest, e_.mass_after(m)) || !accepts(d)) return false;
    mover_.move(e_, m, s.x);
    const auto e = trace(s.x);
    d.for_each([&](std::size_t j, double value) {
      if (value != 0) kernels::axpy(weight * value, e, S_.data() + j * dim_);
    });
    take(e);
    return true;
  }

  /// Adds recorded steps, after which it goes on as they would: the trace is theirs. Calls `take(numbers, e)` for each.
  template <class Take>
  void add(const RecordedSteps& steps, Take&& take) {
    const TransitionLog& log = steps.log();
    std::vector<std::uint32_t> index(dim_);
    std::vector<double> value(dim_);
    const auto named = [&](const auto& x) {  // features by their own indices
      std::size_t n = 0;
      x.for_each([&](std::size_t i, double each) {
        index[n] = log.feature(i);
        value[n++] = each;
      });
      return SparseView{index.data(), value.data(), n};
    };
    for (std::size_t t = 0; t < log.size(); ++t) {
      const TransitionLog::Numbers& numbers = log.numbers_of(t);
      log.with_addition(t, [&](const auto& a) { e_.move({numbers.f, numbers.y}, named(a)); });
      const SparseView e = trace(SparseView{});
      const auto add_columns = [&](double factor) {
        return [&, factor](const auto& x) {
          named(x).for_each([&](std::size_t j, double each) { kernels::axpy(factor * each, e, S_.data() + j * dim_); });
        };
      };
      log.with_x(t, add_columns(1));
      log.with_next(t, add_columns(-numbers.gn));
      take(numbers, e);
    }
    mover_ = steps.mover();
  }

  /// All that was added counts `factor` times.
  void scale(double factor) {
    for (double& each : S_) each *= factor;
  }

  /// Adds the other's S; the trace continues from the other's.
  void merge(const KeySums& other) {
    kernels::axpy(1.0, other.S_.data(), S_.data(), S_.size());
    e_ = other.e_;
    mover_ = other.mover_;
  }

  /// S_0j .. S_{d-1}j
  const double* column(std::size_t j) const { return S_.data() + j * dim_; }

  static constexpr auto state() { return std::tuple{&KeySums::S_, &KeySums::e_, &KeySums::mover_}; }

 private:
  /// e, in the layout of x.
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
  FollowedTrace<0> e_;
  TraceMover mover_;
  EntryList entries_;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
};

}  // namespace bellwether
