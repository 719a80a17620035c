#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include <bellwether/learners/least_squares/equations/key_sums.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// LSTD's equations S v = b, summed, for few features: what LoggedEquations says of theirs holds here, but memory and
/// the time of a product are d^2 however many steps there are, and `curvature` is exact.
class SummedEquations {
 public:
  SummedEquations(std::size_t dim, TraceRule rule) : S_(dim, rule), b_(dim, 0.0), noise_(dim, 0.0) {}

  template <class X>
  bool add(const Transition<X>& s, double target) {
    return S_.add(
        s, [&](const auto&) { return s.allows(target); },
        [&](const auto& e) {
          kernels::axpy(target, e, b_.data());
          e.for_each([this](std::size_t j, double value) { noise_[j] += value * value; });
        });
  }
  void take_up() {}

  std::size_t size() const { return b_.size(); }
  std::uint32_t feature(std::size_t i) const { return static_cast<std::uint32_t>(i); }
  std::uint64_t left_out() const { return 0; }
  const double* noise() const { return noise_.data(); }
  double diagonal(std::size_t j) const { return S_.column(j)[j]; }

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
  double work() const { return static_cast<double>(size() * size()) / 4; }

  static constexpr auto state() {
    return std::tuple{&SummedEquations::S_, &SummedEquations::b_, &SummedEquations::noise_};
  }

 private:
  KeySums S_;
  std::vector<double> b_, noise_;
};

}  // namespace bellwether
