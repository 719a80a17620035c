#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <bellwether/learners/least_squares/equations/key_sums.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// LSTD's equations S v = b, summed, for few features: what LoggedEquations says of theirs holds here, but memory and
/// the time of a product are d^2 however many steps there are, `curvature` is exact, and no step is dropped.
///
/// Where steps are forgotten, S, b and N are in the unit of the last `take_up`: later steps count more than 1 until the
/// next one divides by what the newest counts.
class SummedEquations {
 public:
  SummedEquations(std::size_t dim, TraceRule rule, double decay = 1)
      : decay_(decay), S_(dim, rule), b_(dim, 0.0), noise_(dim, 0.0) {}

  /// Calls `take(e)` with the trace if the step is added.
  template <class X, class Guard, class Take>
  bool add(const Transition<X, Guard>& s, double target, Take&& take) {
    const double weight = newest_ / decay_;
    return S_.add(
        s, [&](const auto&) { return s.allows(target); },
        [&](const auto& e) {
          kernels::axpy(weight * target, e, b_.data());
          e.for_each([&](std::size_t j, double value) { noise_[j] += weight * value * (weight * value); });
          newest_ = weight;
          take(e);
        },
        weight);
  }
  template <class X, class Guard>
  bool add(const Transition<X, Guard>& s, double target) {
    return add(s, target, [](const auto&) {});
  }

  /// Adds recorded steps to equations without any, which forget nothing.
  void add(const RecordedSteps& steps) {
    S_.add(steps, [&](const TransitionLog::Numbers& numbers, const SparseView& e) {
      kernels::axpy(numbers.target, e, b_.data());
      e.for_each([&](std::size_t j, double value) { noise_[j] += value * value; });
    });
  }

  void take_up() {
    if (newest_ == 1) return;
    S_.scale(1 / newest_);
    for (std::size_t i = 0; i < size(); ++i) {
      b_[i] /= newest_;
      noise_[i] /= newest_ * newest_;
    }
    newest_ = 1;
  }

  /// Adds the sums of another that forgets nothing, as if its steps had come later.
  void merge(const SummedEquations& other) {
    S_.merge(other.S_);
    kernels::axpy(1.0, other.b_.data(), b_.data(), size());
    kernels::axpy(1.0, other.noise_.data(), noise_.data(), size());
  }

  std::size_t size() const { return b_.size(); }
  std::uint32_t feature(std::size_t i) const { return static_cast<std::uint32_t>(i); }
  std::uint64_t left_out() const { return 0; }
  const double* noise() const { return noise_.data(); }
  double diagonal(std::size_t j) const { return S_.column(j)[j]; }
  const double* column(std::size_t j) const { return S_.column(j); }  // of S

  void residual(const double* v, double* out) const {
    product(v, out);
    for (std::size_t i = 0; i < size(); ++i) out[i] = b_[i] - out[i];
  }
  void product(const double* v, double* out) const {
    std::fill_n(out, size(), 0.0);
    for (std::size_t j = 0; j < size(); ++j) {
      if (v[j] != 0) kernels::axpy(v[j], S_.column(j), out, size());
    }
  }
  void transposed_product(const double* u, double* out) const {
    for (std::size_t j = 0; j < size(); ++j) out[j] = kernels::dot(S_.column(j), u, size());
  }
  void curvature(const double* c, double* out) const {
    for (std::size_t j = 0; j < size(); ++j) {
      const double* column = S_.column(j);
      double sum = 0;
      for (std::size_t i = 0; i < size(); ++i) sum += column[i] * column[i] * c[i];
      out[j] = sum;
    }
  }

  /// Operations on neighbours in memory are several at a time.
  static double work(std::size_t dim) { return static_cast<double>(dim * dim) / 4; }
  double work() const { return work(size()); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.S_);
    visit.fixed(self.b_, self.noise_);
    if (self.decay_ != 1) visit(self.newest_);
  }

 private:
  double decay_;
  double newest_ = 1;  // what the newest step counts
  KeySums S_;
  std::vector<double> b_, noise_;
};

}  // namespace bellwether
