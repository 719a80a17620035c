#pragma once

#include <string>
#include <string_view>

#include <bellwether/core/learner.h>
#include <bellwether/linalg/inverse/sherman_morrison.h>
#include <bellwether/traces/entry_list.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

/// Recursive least squares, which updates the inverse P of I/p0 + sum e d^T at every step:
///
///   delta = r - d.w
///   w    += alpha0 delta P e + eta delta e               P includes this step
///
/// With alpha0 = 1 and eta = 0 this is exactly LSTD(lambda) after every step: w = w_0 + P sum e (r - d.w_0).
class RecursiveLeastSquares {
 public:
  RecursiveLeastSquares(std::size_t dim, double p0, TraceRule rule)
      : P_(dim, p0), entries_(dim), change_(dim, rule), mover_(rule) {}

  /// False: the step is out of range, and nothing has changed.
  template <class Step>
  bool update(const Step& s, double alpha0 = 1, double eta = 0) {
    const Motion m = mover_.next(s);
    const auto a = change_.additions(m, s.x, [this](std::size_t j) { return P_.trace_at(j); });
    if (!P_.sample(m.f, a, entries_.difference(s.x, s.gn, s.xn))) return false;
    const double delta = s.r - P_.prediction();
    return P_.take(alpha0 * delta, eta * delta);
  }

  /// Adds what another has learned. This is exact with alpha0 = 1 and eta = 0; otherwise the weights are the mean of
  /// both, weighted by their matrices. Throws InvalidArgument, in the name of a learner of this type, when that is
  /// impossible.
  void merge(std::string_view type, const RecursiveLeastSquares& other) {
    check_same_start(type, P_.start(), other.P_.start());
    if (!P_.merge(other.P_)) throw InvalidArgument(std::string(type) + ": the sum of the two matrices is singular");
    mover_ = other.mover_;
  }

  template <class X>
  double dot(const X& x) const {
    return P_.dot(x);
  }
  void read(std::span<double> w) const { P_.read(w); }
  void assign(std::span<const double> w) { P_.assign(w); }

  /// The steps left out because they would have made the matrix singular, as learners report them.
  Settings findings() const {
    if (P_.skipped() == 0) return {};
    return {{"singular_steps_left_out", std::to_string(P_.skipped())}};
  }

  static constexpr auto state() { return std::tuple{&RecursiveLeastSquares::P_, &RecursiveLeastSquares::mover_}; }

 private:
  ShermanMorrison P_;
  EntryList entries_;
  TraceChange change_;
  TraceMover mover_;
};

}  // namespace bellwether
