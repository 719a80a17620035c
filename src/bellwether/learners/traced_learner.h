#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/traces/followed_trace.h>

namespace bellwether {

/// A linear learner whose weights w follow its trace e. `e_` holds both; further vectors that follow the same trace
/// have the places 1 .. Followers-1. `Base` is LinearLearner or derived from it. Learners that differ in alpha have one
/// trace in common, unless alpha is inside it: then its `Entry` is RealOf<Derived>.
template <class Derived, std::size_t Followers = 1, class Base = LinearLearner<Derived>, class Entry = double>
class TracedLearner : public Base {
 public:
  using Real = RealOf<Derived>;

  template <class X>
  Real value(const X& x) const {
    return e_.dot(x);
  }
  void read(std::span<Real> w) const { e_.read(w); }
  Real weight_at(std::size_t j) const { return e_.at(j); }
  void assign(std::span<const double> w) { e_.assign(w); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    Base::state(self, visit);
    visit(self.TracedLearner::e_);
  }

 protected:
  explicit TracedLearner(std::size_t dim) : Base(dim), e_(dim) {}

  /// delta = r + gamma' w.x' - w.x
  template <class X>
  Real td_error(const Transition<X>& s) const {
    return s.r + s.gn * e_.dot(s.xn) - e_.dot(s.x);
  }

  /// e = f e + y x ; w += a e. False, and nothing is changed, when that would leave the range of finite numbers.
  template <class X>
  bool advance(const X& x, const MotionOf<Entry>& m, const Real& a) {
    if (!this->bounded(a, e_.mass_after(m))) return false;
    e_.move(m, x);
    e_.follow(a);
    return true;
  }

  FollowedTrace<Followers, Real, Entry> e_;
};

}  // namespace bellwether
