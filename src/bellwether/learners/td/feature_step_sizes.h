#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <bellwether/linalg/simd/exp.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {

/// The part that tidbd and auto_tidbd share: TD(lambda) with a step size alpha_j for every feature, and the vector h
/// that remembers which way the weights have been pushed.
///
/// Written with the trace e, a step is
///
///   alpha_j *= s_j                              for the few j with u_j != 0
///   alpha   /= m                                for all of them
///   e        = rho (gamma lambda e + x)
///   w_j     += alpha_j delta e_j
///   h_j      = h_j max(0, 1 - alpha_j u_j e_j) + alpha_j delta e_j
///
/// Here the step sizes are inside the trace: it holds q_j = alpha_j e_j, which both w and h follow, and which changes
/// with alpha_j in the same proportion. So a step with sparse features costs O(active): FollowedTrace handles what
/// concerns all features, the decay of q and w += delta q, and 1/m is one factor common to all step sizes.
class FeatureStepSizes {
 public:
  FeatureStepSizes(std::size_t dim, double alpha)
      : change(dim), q_(dim), alpha_(dim, alpha), largest_(alpha), product_(dim) {}

  std::vector<double> change;  // the factors s_j, one for every entry of u; set them before `advance`

  /// alpha_j, h_j and q_j = alpha_j e_j
  double step_size(std::size_t j) const { return scale_ * alpha_[j]; }
  double h(std::size_t j) const { return q_.at<1>(j); }
  double q(std::size_t j) const { return q_.trace_at(j); }

  /// delta = r + gamma' w.x' - w.x
  template <class Step>
  double td_error(const Step& s) const {
    return s.r + s.gn * q_.dot(s.xn) - q_.dot(s.x);
  }

  /// The step above. Returns false, before anything has changed, when numbers leave the range that weights are kept in.
  template <class Step, class U>
  bool advance(const Step& s, double delta, const U& u, double m = 1) {
    const auto factors = with_values(u, change.data());
    // Step sizes are positive, so their sum bounds them. |alpha_j e_j| <= largest * mass * max |x_j|.
    const double sum = kernels::dot(factors, alpha_.data());
    const double largest = std::max(largest_, sum);
    const double mass = std::abs(s.rho) * (std::abs(s.g * s.l) * mass_ + 1);
    if (!s.allows(delta, m, sum, largest * scale_ * mass)) return false;
    largest_ = largest;
    mass_ = mass;

    for (std::size_t k = 0; k < u.size; ++k) alpha_[index_of(u, k)] *= change[k];
    q_.scale_trace(factors);
    shrink(m);
    for (std::size_t k = 0; k < s.x.size; ++k) product_[k] = step_size(index_of(s.x, k)) * value_of(s.x, k);
    q_.move({s.rho * s.g * s.l / m, s.rho}, with_values(s.x, product_.data()));

    q_.follow<0>(delta);
    for (std::size_t k = 0; k < u.size; ++k) change[k] = std::max(0.0, 1 - u.values[k] * q(index_of(u, k)));
    q_.scale_entries<1>(factors);
    q_.follow<1>(delta);
    return true;
  }

  template <class X>
  double dot(const X& x) const {
    return q_.dot(x);
  }
  void read(std::span<double> w) const { q_.read(w); }
  void assign(std::span<const double> w) { q_.assign(w); }

  static constexpr auto state() {
    return std::tuple{&FeatureStepSizes::q_, &FeatureStepSizes::alpha_, &FeatureStepSizes::scale_,
                      &FeatureStepSizes::largest_, &FeatureStepSizes::mass_};
  }

 private:
  /// alpha /= m
  void shrink(double m) {
    scale_ /= m;
    if (scale_ > 1e-100) return;
    kernels::scale(scale_, alpha_.data(), alpha_.size());
    largest_ *= scale_;
    scale_ = 1;
  }

  FollowedTrace<2> q_;         // the trace q, and the vectors w and h that follow it
  std::vector<double> alpha_;  // before the common factor `scale_`
  double scale_ = 1;
  double largest_;   // no alpha_ is larger
  double mass_ = 0;  // no |e_j| is larger than this times the largest |x_j|
  std::vector<double> product_;
};

}  // namespace bellwether
