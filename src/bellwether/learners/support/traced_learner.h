#pragma once

#include <bellwether/learners/support/linear_learner.h>
#include <bellwether/linalg/followed_trace.h>

namespace bellwether {

/// A linear learner whose weights w follow its trace e. `e_` holds both; further vectors that follow the same trace
/// have the places 1 .. Followers-1. `Base` is LinearLearner or derived from it.
template <class Derived, std::size_t Followers = 1, class Base = LinearLearner<Derived>>
class TracedLearner : public Base {
 public:
  template <class X>
  double value(const X& x) const {
    return e_.dot(x);
  }
  void read(std::span<double> w) const { e_.read(w); }
  void assign(std::span<const double> w) { e_.assign(w); }

 protected:
  explicit TracedLearner(std::size_t dim) : Base(dim), e_(dim) {}

  /// delta = r + gamma' w.x' - w.x
  template <class X>
  double td_error(const Transition<X>& s) const {
    return s.r + s.gn * e_.dot(s.xn) - e_.dot(s.x);
  }

  /// e = f e + y x ; w += a e. False, and nothing is changed, when that would leave the range of finite numbers.
  template <class X>
  bool advance(const X& x, Motion m, double a) {
    if (!bounded(a, e_.mass_after(m))) return false;
    e_.move(m, x);
    e_.follow(a);
    return true;
  }

  FollowedTrace<Followers> e_;
};

}  // namespace bellwether
