#pragma once

#include <bellwether/traces/followed_trace.h>

namespace bellwether {

/// A step of off-policy learners that weigh the TD error by rho but keep products of ratios out of their trace:
///
///   e  = c gamma e + x
///   w += alpha rho delta e
///
/// They differ in c, which belongs to the previous action.
template <class Real, class Step>
bool cut_trace_step(FollowedTrace<1, Real>& e, const Step& s, double c, const Real& alpha) {
  const Real delta = s.r + s.gn * e.dot(s.xn) - e.dot(s.x);
  const Real a = alpha * s.step * (s.rho * delta);
  const Motion m{s.g * c, 1};
  if (!s.allows(a, e.mass_after(m))) return false;
  e.move(m, s.x);
  e.follow(a);
  return true;
}

}  // namespace bellwether
