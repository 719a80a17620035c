#pragma once

#include <bellwether/traces/transition.h>

namespace bellwether {

/// The emphasis of emphatic TD: how much the state of a step should weigh, so that weighted off-policy steps are as
/// stable as on-policy ones.
///
///   F = rho_{t-1} decay F + i            i at the start of an episode
///   M = lambda i + (1 - lambda) F
///
/// F, the follow-on trace, counts the interest that leads to the state under the target policy; decay is gamma_t.
class Emphasis {
 public:
  /// M of the step; i is `interest` times the step's own.
  template <class Step>
  double next(const Step& s, double interest, double decay) {
    const double i = interest * s.i;
    F_ = s.g == 0 ? i : s.rhop * decay * F_ + i;
    return s.l * i + (1 - s.l) * F_;
  }

  static constexpr auto state() { return std::tuple{&Emphasis::F_}; }

 private:
  double F_ = 0;
};

template <class P>
constexpr auto interest_field() {
  return Field("interest", &P::interest, non_negative, "interest in every state, multiplies the step's own");
}

}  // namespace bellwether
