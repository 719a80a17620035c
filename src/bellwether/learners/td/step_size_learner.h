#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <bellwether/learners/traced_learner.h>
#include <bellwether/linalg/simd/exp.h>
#include <bellwether/traces/entry_list.h>

namespace bellwether {

/// What TD learners with a step size alpha_j for every feature share (TIDBD and its kin).
///
/// Written with the trace e, such a learner does
///
///   alpha_j *= s_j                              for the few j with u_j != 0
///   alpha   /= m                                for all of them
///   e        = rho (gamma lambda e + x)
///   w_j     += alpha_j delta e_j
///   h_j      = h_j max(0, 1 - alpha_j u_j e_j) + alpha_j delta e_j
///
/// Here the step sizes are inside the trace: `e_` holds q_j = alpha_j e_j, which both w and h follow, and which changes
/// with alpha_j in the same proportion. So a step with sparse features costs O(active): of what concerns all features,
/// the decay of q and w += delta q are left to FollowedTrace, and 1/m is one factor common to all step sizes.
template <class Derived>
class StepSizeLearner : public TracedLearner<Derived, 2> {
 public:
  /// alpha_j
  double step_size(std::size_t j) const { return scale_ * alpha_[j]; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    TracedLearner<Derived, 2>::state(self, visit);
    visit.fixed(self.alpha_);
    visit(self.scale_, self.largest_, self.mass_);
  }

 protected:
  StepSizeLearner(std::size_t dim, double alpha)
      : TracedLearner<Derived, 2>(dim),
        entries_(dim),
        change_(dim),
        alpha_(dim, alpha),
        largest_(alpha),
        product_(dim) {}

  double h(std::size_t j) const { return e_.template at<1>(j); }
  double q(std::size_t j) const { return e_.trace_at(j); }

  /// The lines above, with the factors s_j in `change_`. False, before anything is changed, when numbers leave the
  /// range that weights are kept in.
  template <class X, class U>
  bool advance(const Transition<X>& s, double delta, const U& u, double m = 1) {
    const auto factors = at_places_of(u, change_.data());
    // Step sizes are positive, so their sum bounds them. |alpha_j e_j| <= largest * mass * max |x_j|.
    const double sum = kernels::dot(factors, alpha_.data());
    const double largest = std::max(largest_, sum);
    const double mass = std::abs(s.rho) * (std::abs(s.g * s.l) * mass_ + 1);
    if (!bounded(delta, m, sum, largest * scale_ * mass)) return false;
    largest_ = largest;
    mass_ = mass;

    for (std::size_t k = 0; k < u.size; ++k) alpha_[place(u, k)] *= change_[k];
    e_.scale_trace(factors);
    shrink(m);
    e_.decay(s.rho * s.g * s.l / m);
    for (std::size_t k = 0; k < s.x.size; ++k) product_[k] = step_size(place(s.x, k)) * stored(s.x, k);
    e_.add(at_places_of(s.x, product_.data()), s.rho);

    e_.template follow<0>(delta);
    for (std::size_t k = 0; k < u.size; ++k) change_[k] = std::max(0.0, 1 - u.values[k] * q(place(u, k)));
    e_.template scale_entries<1>(factors);
    e_.template follow<1>(delta);
    return true;
  }

  using TracedLearner<Derived, 2>::e_;
  EntryList entries_;
  std::vector<double> change_;  // one number for every entry of u

 private:
  /// alpha /= m
  void shrink(double m) {
    scale_ /= m;
    if (scale_ > 1e-100) return;
    kernels::scale(scale_, alpha_.data(), alpha_.size());
    largest_ *= scale_;
    scale_ = 1;
  }

  std::vector<double> alpha_;  // before the common factor `scale_`
  double scale_ = 1;
  double largest_;   // no alpha_ is larger
  double mass_ = 0;  // no |e_j| is larger than this times the largest |x_j|
  std::vector<double> product_;
};

}  // namespace bellwether
