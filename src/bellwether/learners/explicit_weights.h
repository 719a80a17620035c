#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

/// A learner that writes to its weights as they are: d numbers, `w_`.
template <class Derived>
class ExplicitWeights : public LinearLearner<Derived> {
 public:
  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, w_.data());
  }
  void read(std::span<double> w) const { std::copy(w_.begin(), w_.end(), w.begin()); }
  void assign(std::span<const double> w) { w_.assign(w.begin(), w.end()); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    LinearLearner<Derived>::state(self, visit);
    visit.fixed(self.w_);
  }

 protected:
  explicit ExplicitWeights(std::size_t dim) : LinearLearner<Derived>(dim), w_(dim, 0.0) {}

  /// delta = r + gamma' w.x' - w.x
  template <class X>
  double td_error(const Transition<X>& s) const {
    return s.r + s.gn * value(s.xn) - value(s.x);
  }

  std::vector<double> w_;
};

}  // namespace bellwether
