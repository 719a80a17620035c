#pragma once

#include <bellwether/learners/traced_learner.h>

namespace bellwether {

/// What off-policy learners share that weigh the present by rho but keep products of ratios out of their trace:
///
///   e  = c gamma e + x
///   w += alpha rho delta e
///
/// They differ in c, which belongs to the previous action: `coefficient(s)`.
template <class Derived>
class CutTraceLearner : public TracedLearner<Derived> {
 public:
  template <class X>
  bool update(const Transition<X>& s) {
    const auto& self = static_cast<const Derived&>(*this);
    const auto a = this->alpha(s) * (s.rho * this->td_error(s));
    return this->advance(s.x, Motion{s.g * self.coefficient(s), 1}, a);
  }

 protected:
  using TracedLearner<Derived>::TracedLearner;
};

}  // namespace bellwether
