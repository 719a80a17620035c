#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/inverse/sherman_morrison.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

/// Least squares step by step, by the inverse P of I/p0 + sum e d^T:
///
///   delta = r - d.w
///   w    += alpha0 delta P e + eta delta e               P with the step itself
///
/// With alpha0 = 1 and eta = 0 that is LSTD(lambda), exactly and after every step: w = w_0 + P sum e (r - d.w_0).
class RecursiveLeastSquares {
 public:
  RecursiveLeastSquares(std::size_t dim, double p0, TraceRule rule)
      : P_(dim, p0), entries_(dim), change_(dim, rule), mover_(rule) {}

  template <class X>
  bool update(const Transition<X>& s, double alpha0 = 1, double eta = 0) {
    const Motion m = mover_.next(s);
    const auto a = change_.additions(m, s.x, [this](std::size_t j) { return P_.trace_at(j); });
    if (!P_.sample(m.f, a, entries_.difference(s.x, s.gn, s.xn))) return false;
    const double delta = s.r - P_.prediction();
    return P_.take(alpha0 * delta, eta * delta);
  }

  /// Takes in what another has learned. With alpha0 = 1 and eta = 0 this is exact; otherwise the weights are a mean of
  /// both, weighted by their matrices. Throws InvalidArgument, for a learner of this type, when that is impossible.
  void merge(std::string_view type, const RecursiveLeastSquares& other) {
    check_same_start(type, P_.start(), other.P_.start());
    if (!P_.merge(other.P_)) throw InvalidArgument(std::string(type) + ": the sum of the two matrices is singular");
    mover_ = other.mover_;
  }

  template <class X>
  double value(const X& x) const {
    return P_.dot(x);
  }
  void read(std::span<double> w) const { P_.read(w); }
  void assign(std::span<const double> w) { P_.assign(w); }

  /// What learners that use this report: steps left out because they would have made the matrix singular.
  Settings findings() const {
    if (P_.skipped() == 0) return {};
    return {{"singular_steps_left_out", std::to_string(P_.skipped())}};
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.P_, self.mover_);
  }

 private:
  ShermanMorrison P_;
  EntryList entries_;
  TraceChange change_;
  TraceMover mover_;
};

}  // namespace bellwether
