#pragma once

#include <cassert>
#include <cmath>
#include <memory>
#include <span>
#include <type_traits>

#include <bellwether/core/state.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// What a learner computes with. A learner that is a class template, `template <class Real> class BasicTD`, is one
/// learner where Real is double, and where it is Eight (linalg/simd/eight.h) eight learners that differ in alpha:
/// lanes.h.
template <class Derived>
struct NumbersOf {
  using Real = double;
};
template <template <class> class Basic, class Number>
struct NumbersOf<Basic<Number>> {
  using Real = Number;
};
template <class Derived>
using RealOf = typename NumbersOf<Derived>::Real;

/// What every learner of a linear value function v(s) = w.x(s) shares: the loop over steps and the choice of the
/// layout. A learner derives from LinearLearner<itself>, has `name`, `doc` and `Params`, and implements
///
///     template <class X> bool update(const Transition<X>& s);   // false: diverged, and nothing was changed
///     template <class X> double value(const X& x) const;        // w.x
///     void read(std::span<double> w) const;                     // copies w out
///     void assign(std::span<const double> w);                   // and in
///     static void state(Self& self, Visit&& visit);             // visits what learning changes (core/state.h)
///
/// and, if what two of them have learned adds up,
///
///     void merge(const Derived& other);                         // as Learner::absorb; `other` has learned something
template <class Derived, class = RealOf<Derived>>
class LinearLearner : public Learner {
 public:
  using Learner::predict;
  using Learner::weights;

  double predict(const Features& x) const final {
    assert(x.layout != Layout::dense || x.size == dim());
    return visit(x, [this](const auto& view) { return self().value(view); });
  }
  void weights(std::span<double> w) const final { self().read(w); }
  std::string_view type() const final { return Derived::name; }
  Settings settings() const final { return values(self().params()); }
  std::unique_ptr<Learner> clone() const final { return std::make_unique<Derived>(self()); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.walk_);
  }

 protected:
  explicit LinearLearner(std::size_t dim) : Learner(dim) {}

  /// The step sizes of a step, schedule included.
  template <class X>
  double alpha(const Transition<X>& s) const {
    return self().params().alpha * s.step;
  }
  template <class X>
  double beta(const Transition<X>& s) const {
    return second_step(self().params(), self().params().alpha) * s.step;
  }

  /// Whether a step may be made that has these numbers in it; otherwise `update` is to return false.
  template <class... T>
  static bool bounded(T... numbers) {
    return bellwether::bounded(numbers...);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  void assign_weights(std::span<const double> w) final { self().assign(w); }
  void write_state(StateWriter& out) const final { Derived::state(self(), out); }
  void read_state(StateReader& in) final { Derived::state(self(), in); }

  void add_statistics(const Learner& other) final {
    if constexpr (requires { self().merge(self()); }) {
      const auto& part = static_cast<const Derived&>(other);
      if (part.steps() == 0) return;
      self().merge(part);
      walk_.append(part.walk_);
    } else {
      Learner::add_statistics(other);
    }
  }

  std::size_t learn_steps(const Batch& batch) final {
    return walk_.through(batch, self().params(), [this](const auto& s) { return self().update(s); });
  }

  StepWalk walk_;
};

}  // namespace bellwether
