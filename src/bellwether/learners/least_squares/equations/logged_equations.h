#pragma once

#include <cstdint>
#include <span>

#include <bellwether/learners/least_squares/equations/recorded_steps.h>
#include <bellwether/linalg/dense/capped_vector.h>

namespace bellwether {

/// LSTD's equations S v = b, kept as the steps that they are sums over:
///
///   S = sum_t e_t d_t^T        b = sum_t e_t target_t        N_i = sum_t e_ti^2
///
/// A product with S is one backward pass over the steps and a product with its transpose a forward pass, O(active) a
/// step for any lambda (PreparedLog). Unlike there, a pass reads the log as it is, so that steps can be added between
/// passes and nothing is allocated.
///
/// N_i is the variance of the i-th equation's error, in units of the variance of a TD error. It is summed without
/// forming the trace: an entry of it decays alike in all steps in which its feature is not active, and what it adds
/// to N_i meanwhile is a geometric sum.
///
/// When memory is full, every other piece of the steps is dropped: the newest half of memory then holds all recent
/// steps, and older ones are the fewer, the older they are.
///
/// Unknowns and equations go by the log's numbers of features.
class LoggedEquations {
 public:
  LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule);

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
  const double* noise() const { return noise_.data(); }          // N
  double diagonal(std::size_t j) const { return diagonal_[j]; }  // S_jj

  /// out = b - S v, out = S v, out = S^T u
  void residual(const double* v, double* out) const;
  void product(const double* v, double* out) const;
  void transposed_product(const double* u, double* out) const;

  /// out_j = about sum_i S_ij^2 c_i with c_i = 1 / N_i: what the feature adds to its own equation, and for the others
  /// what they would sum to if the signs of their steps were random.
  ///
  ///   S_jj^2 c_j + p/n sum_t (x_tj^2 + (gamma x'_tj)^2)        p features in n steps; sum_t |e_t|^2_c = p
  void curvature(const double* c, double* out) const;

  /// About how many operations a product takes.
  double work() const { return 2 * entries_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.steps_, self.taken_, self.thinned_, self.entries_);
    visit(self.e_, self.noise_, self.diagonal_, self.squares_);
    visit.require((self.taken_ <= self.steps_.log().size() || self.thinned_ != self.steps_.thinned()) &&
                  self.e_.size() <= self.size() && self.noise_.size() == self.e_.size() &&
                  self.diagonal_.size() == self.e_.size() && self.squares_.size() == self.e_.size());
    if constexpr (!std::is_const_v<Self>) self.restore();
  }

 private:
  template <class Coefficient>
  void sum_traces(const double* v, Coefficient&& coefficient, double* out) const;
  void move_trace(std::size_t t);
  void settle(std::size_t j);
  void settle();
  void begin_anew();
  void restore();

  RecordedSteps steps_;
  std::uint64_t taken_ = 0;  // steps that N and the rest contain
  std::uint64_t thinned_ = 0;
  double entries_ = 0;      // of the states of these
  CappedVector<double> e_;  // the trace after these is scale_ e_, 1 between calls
  CappedVector<double> noise_, diagonal_, squares_;

  // While steps are taken up: e_j^2 (sum_ - since_j) is what N_j lacks.
  double scale_ = 1;
  double sum_ = 0;
  CappedVector<double> since_;
  CappedVector<std::uint32_t> live_;  // where e_ may be non-zero
  CappedVector<std::uint8_t> is_live_;
};

}  // namespace bellwether
