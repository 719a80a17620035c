#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// The weights of a learner that keeps them as they are: d numbers.
class WeightVector {
 public:
  explicit WeightVector(std::size_t dim) : w_(dim, 0.0) {}

  /// w.x
  template <class X>
  double dot(const X& x) const {
    return kernels::dot(x, w_.data());
  }

  /// delta = r + gamma' w.x' - w.x
  template <class Step>
  double td_error(const Step& s) const {
    return s.r + s.gn * dot(s.xn) - dot(s.x);
  }

  double* data() { return w_.data(); }
  const double* data() const { return w_.data(); }
  double& operator[](std::size_t j) { return w_[j]; }
  double operator[](std::size_t j) const { return w_[j]; }
  std::size_t size() const { return w_.size(); }

  void read(std::span<double> w) const { std::copy(w_.begin(), w_.end(), w.begin()); }
  void assign(std::span<const double> w) { w_.assign(w.begin(), w.end()); }

  static constexpr auto state() { return std::tuple{&WeightVector::w_}; }

 private:
  std::vector<double> w_;
};

}  // namespace bellwether
