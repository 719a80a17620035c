#pragma once

#include <cstdint>
#include <span>

#include <bellwether/learners/least_squares/equations/equation_sums.h>
#include <bellwether/learners/least_squares/equations/recorded_steps.h>
#include <bellwether/linalg/krylov/products.h>

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
/// Unknowns and equations go by the log's numbers of features. They are those of the last `take_up`, whatever steps
/// were added since: a solution in parts sees the same equations until it is done.
class LoggedEquations {
 public:
  /// `in_parts`: the work of `take_up` is done in small parts while steps are added.
  LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule, double decay = 1, bool in_parts = false);

  /// Adds a step. Returns false, and adds nothing, if its numbers are out of range.
  template <class X>
  bool add(const Transition<X>& s, double target) {
    if (!steps_.record(s, target)) return false;
    if (in_parts_ && !outdated() && steps_.log().size() - sums_.taken() >= part) sums_.take_up(steps_.log());
    return true;
  }

  /// Takes up the steps since the last call.
  void take_up();

  /// Whether steps were dropped since `take_up`. Then there are no products before the next one.
  bool outdated() const { return thinned_ != steps_.thinned(); }

  std::size_t size() const { return features_; }
  std::size_t taken_up() const { return taken_; }  // steps
  std::uint32_t feature(std::size_t i) const { return steps_.log().feature(i); }
  std::uint64_t left_out() const { return steps_.left_out(); }
  std::size_t steps() const { return steps_.log().size(); }  // that are stored
  const RecordedSteps& recorded() const { return steps_; }
  const double* noise() const { return sums_.noise(); }               // N
  double diagonal(std::size_t j) const { return sums_.diagonal(j); }  // S_jj

  /// out = b - S v, out = S v, out = S^T u
  void residual(const double* v, double* out) const;
  void product(const double* v, double* out) const;
  void transposed_product(const double* u, double* out) const;

  /// The same in parts, as InParts calls them: at most `rows` steps are visited.
  bool residual(const double* v, double* out, Pass& pass, std::size_t& rows) const;
  bool product(const double* v, double* out, Pass& pass, std::size_t& rows) const;
  bool transposed_product(const double* u, double* out, Pass& pass, std::size_t& rows) const;

  /// out_j = about sum_i S_ij^2 c_i (EquationSums).
  void curvature(const double* c, double* out) const { sums_.curvature(c, out); }

  /// About how many operations a product takes.
  double work() const { return 2 * sums_.entries(); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.sums_, self.thinned_);
    visit.require((self.sums_.taken() <= self.steps_.log().size() || self.outdated()) &&
                  self.sums_.features() <= self.steps_.log().features());
    if (self.in_parts_) {
      visit(self.taken_, self.features_);
    } else if constexpr (!std::is_const_v<Self>) {
      self.taken_ = self.sums_.taken();
      self.features_ = self.sums_.features();
    }
    visit.require((self.taken_ <= self.steps_.log().size() || self.outdated()) &&
                  self.features_ <= self.steps_.log().features());
  }

 private:
  template <class Coefficient>
  bool sum_traces(const double* v, Coefficient&& coefficient, double* out, Pass& pass, std::size_t& rows) const;

  static constexpr std::size_t part = 32;

  double decay_;
  bool in_parts_;
  std::size_t window_;  // steps that count more than a thousandth
  RecordedSteps steps_;
  EquationSums sums_;
  std::uint64_t thinned_ = 0;
  std::uint64_t taken_ = 0, features_ = 0;  // at the last `take_up`
};

}  // namespace bellwether
