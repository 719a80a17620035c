#pragma once

#include <cstdint>

#include <bellwether/learners/least_squares/equations/transition_log.h>
#include <bellwether/linalg/dense/capped_vector.h>

namespace bellwether {

/// What is known of LSTD's equations S v = b without multiplying by S, from the steps of a log:
///
///   N_i = sum_t (q_t e_ti)^2                        the variance of an equation's error, in units of a TD error's
///   S_jj
///   sum_t q_t^2 (x_tj^2 + (gamma_{t+1} x_{t+1,j})^2)
///
/// where q_t = decay^k for a step that k others followed.
///
/// They are summed without forming the trace: an entry of it decays alike in all steps in which its feature is not
/// active, and what it adds to N_i meanwhile is a geometric sum. Features go by the log's numbers.
class EquationSums {
 public:
  explicit EquationSums(std::size_t dim, double decay = 1)
      : decay_(decay), e_(dim), noise_(dim), diagonal_(dim), squares_(dim), since_(dim), live_(dim), is_live_(dim) {}

  /// Takes up the steps of the log that were appended since the last call.
  void take_up(const TransitionLog& log);

  /// All steps are to be taken up again, since some of them are gone.
  void begin_anew();

  std::uint64_t taken() const { return taken_; }
  std::size_t features() const { return noise_.size(); }
  double entries() const { return entries_; }  // of the states of these
  const double* noise() const { return noise_.data(); }
  double diagonal(std::size_t j) const { return diagonal_[j]; }

  /// out_j = about sum_i S_ij^2 c_i with c_i = 1 / N_i: what the feature adds to its own equation, and for the others
  /// what they would sum to if the signs of their steps were random.
  ///
  ///   S_jj^2 c_j + p/n sum_t q_t^2 (x_tj^2 + (gamma x'_tj)^2)
  ///
  /// for p features in n = sum_t q_t^2 steps, as sum_t |q_t e_t|^2_c = p.
  void curvature(const double* c, double* out) const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.taken_, self.entries_, self.e_, self.noise_, self.diagonal_, self.squares_);
    visit.require(self.noise_.size() == self.e_.size() && self.diagonal_.size() == self.e_.size() &&
                  self.squares_.size() == self.e_.size());
    if constexpr (!std::is_const_v<Self>) self.restore();
  }

 private:
  void move_trace(const TransitionLog& log, std::size_t t);
  void settle(std::size_t j);
  void settle();
  void change_unit();
  void restore();

  double decay_;
  std::uint64_t taken_ = 0;
  double entries_ = 0;
  CappedVector<double> e_;  // the trace after these is scale_ e_, 1 between calls
  CappedVector<double> noise_, diagonal_, squares_;

  // While steps are taken up: e_j^2 (sum_ - since_j) is what N_j lacks.
  double scale_ = 1;
  double sum_ = 0;
  double newest_ = 1;  // what the newest step counts, in the unit of the steps taken up before
  CappedVector<double> since_;
  CappedVector<std::uint32_t> live_;  // where e_ may be non-zero
  CappedVector<std::uint8_t> is_live_;
};

}  // namespace bellwether
