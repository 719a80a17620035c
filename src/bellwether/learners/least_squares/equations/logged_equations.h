#pragma once

#include <cstdint>
#include <span>

#include <bellwether/learners/least_squares/equations/equation_sums.h>
#include <bellwether/learners/least_squares/equations/recorded_steps.h>

namespace bellwether {

/// LSTD's equations S v = b, kept as the steps that they are sums over:
///
///   S = sum_t q_t e_t d_t^T        b = sum_t q_t e_t target_t        N_i = sum_t (q_t e_ti)^2
///
/// where q_t = decay^k for a step that k others followed: 1 for all steps unless they are forgotten.
///
/// A product with S is one backward pass over the steps and a product with its transpose a forward pass, O(active) a
/// step for any lambda (PreparedLog). Unlike there, a pass reads the log as it is, so that steps can be added between
/// passes and nothing is allocated.
///
/// N_i is the variance of the i-th equation's error, in units of the variance of a TD error (EquationSums).
///
/// When memory is full, every other piece of the steps is dropped: the newest half of memory then holds all recent
/// steps, and older ones are the fewer, the older they are. Steps that are forgotten leave in order: those that count
/// less than a thousandth, or the older half when memory is full before.
///
/// Unknowns and equations go by the log's numbers of features.
class LoggedEquations {
 public:
  LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule, double decay = 1);

  /// Adds a step. Returns false, and adds nothing, if its numbers are out of range.
  template <class X>
  bool add(const Transition<X>& s, double target) {
    return steps_.record(s, target);
  }

  /// Takes up the steps since the last call in N and `curvature`.
  void take_up();

  std::size_t size() const { return steps_.log().features(); }
  std::uint32_t feature(std::size_t i) const { return steps_.log().feature(i); }
  std::uint64_t left_out() const { return steps_.left_out(); }
  std::size_t steps() const { return steps_.log().size(); }           // that are stored
  const double* noise() const { return sums_.noise(); }               // N
  double diagonal(std::size_t j) const { return sums_.diagonal(j); }  // S_jj

  /// out = b - S v, out = S v, out = S^T u
  void residual(const double* v, double* out) const;
  void product(const double* v, double* out) const;
  void transposed_product(const double* u, double* out) const;

  /// out_j = about sum_i S_ij^2 c_i (EquationSums).
  void curvature(const double* c, double* out) const { sums_.curvature(c, out); }

  /// About how many operations a product takes.
  double work() const { return 2 * sums_.entries(); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.sums_, self.thinned_);
    visit.require((self.sums_.taken() <= self.steps_.log().size() || self.thinned_ != self.steps_.thinned()) &&
                  self.sums_.features() <= self.size());
  }

 private:
  template <class Coefficient>
  void sum_traces(const double* v, Coefficient&& coefficient, double* out) const;

  double decay_;
  std::size_t window_;  // steps that count more than a thousandth
  RecordedSteps steps_;
  EquationSums sums_;
  std::uint64_t thinned_ = 0;
};

}  // namespace bellwether
