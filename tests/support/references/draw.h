#pragma once

#include <rapidcheck.h>

#include <bellwether/traces/step_size.h>

/// Settings drawn by RapidCheck.
namespace bellwether::testing {

inline double drawn_lambda() { return *rc::gen::element(0.0, 0.4, 0.9, 1.0); }
inline Schedule drawn_schedule() { return *rc::gen::element(Schedule::constant, Schedule::boyan, Schedule::harmonic); }

/// A step size for features of this |x|^2.
inline double drawn_step_size(double square) { return *rc::gen::element(0.01, 0.1, 0.5) / square; }

inline bool drawn_bool() { return *rc::gen::arbitrary<bool>(); }

/// Sets alpha, lambda and the schedule of linear learners.
template <class Params>
Params drawn_linear_params(double square) {
  Params p;
  p.alpha = drawn_step_size(square);
  if constexpr (requires { p.lambda; }) p.lambda = drawn_lambda();
  p.schedule = drawn_schedule();
  p.n0 = 3;
  return p;
}

/// The values of an enumeration.
template <class E>
E drawn_choice() {
  return static_cast<E>(*rc::gen::inRange(0, static_cast<int>(names(E{}).size())));
}

}  // namespace bellwether::testing
