#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/least_squares/equations/error_moments.h>
#include <bellwether/learners/least_squares/equations/summed_equations.h>
#include <bellwether/learners/least_squares/equations/value_scale.h>

namespace bellwether {

/// Chooses lambda and damping by what the data say about the error of each candidate, for few features.
///
/// A candidate k is a lambda, 0 or that of the steps, with a share of damping: v_k = G_k b_k, where b_k = sum_t e_t
/// target_t has the traces of its lambda. Longer traces with little damping are candidates off-policy only: while there
/// are few episodes, they take the outcome of one for the values. All are judged by the equations S v = b of the longer
/// traces, which are the least biased:
///
///   E |b - S v_k|^2_C = E |S (v_k - v*)|^2_C + E |noise|^2_C - 2 E noise^T C S v_k        C = diag(1 / N_i)
///
/// The first term on the right is what we want to be small, the second is the same for all, and the last one is how
/// much of the noise a candidate has fitted. Adding an estimate of it back gives Mallows' C_p:
///
///   score_k = |b - S v_k|^2_C + 2 f_k tr(C S G_k sum_t e_t(lambda_k) e_t^T)
///
/// The trace is a mean over eight probes: right-hand sides z = sum_t +-e_t with random signs, which G_k is applied to
/// as to b_k. f is the variance of errors, together with that of errors which follow one another (ErrorMoments), at the
/// weights of longer traces and the usual damping:
///
///   f_k = mean delta_t (delta_t + sum_l ((gamma lambda_k)^l + (gamma lambda)^l) delta_{t-l})
///
/// Without the second part, noise is overestimated where features cannot represent the values, and short traces are
/// taken where they are biased. Off-policy it is left out: traces have ratios, of which neighbouring errors know
/// nothing.
///
/// A choice takes some 7 d^3 operations, off-policy 10. It is made after every quarter more steps, and not before d
/// more.
class LambdaChoice {
 public:
  LambdaChoice(std::size_t dim, TraceRule rule);

  /// Adds a step to the equations of its lambda, which are the owner's, and to what is kept here. False, and nothing is
  /// added, if its numbers are out of range.
  template <class X>
  bool add(SummedEquations& longer, const Transition<X>& s, double target) {
    const bool added = longer.add(s, target, [&](const auto& e) {
      draw_signs();
      add_to_probes(e, longer_probes_);
    });
    if (!added) return false;
    Transition<X> without_trace = s;
    without_trace.l = without_trace.ln = 0;
    shorter_.add(without_trace, target, [&](const auto& e) { add_to_probes(e, shorter_probes_); });
    errors_.add(s, target);
    return true;
  }

  bool is_due(std::uint64_t steps) const;

  /// Chooses, and sets v to the solution of the choice. If data do not suffice, neither changes.
  void choose(std::uint64_t steps, bool off_policy, const SummedEquations& longer, const ValueScale& scale, double* v);

  /// What was chosen: the usual at first.
  const SummedEquations& chosen(const SummedEquations& longer) const { return takes_longer() ? longer : shorter_; }
  bool takes_longer() const { return candidates[best_].longer; }
  double share() const { return candidates[best_].share; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.shorter_, self.errors_, self.signs_, self.best_, self.last_);
    visit.fixed(self.longer_probes_, self.shorter_probes_);
    visit.require(self.best_ < candidates.size());
  }

 private:
  struct Candidate {
    bool longer;
    double share;    // of damping
    bool on_policy;  // whether it is one on-policy, too
  };
  static constexpr std::array<Candidate, 8> candidates{{{false, 0.0015, false},
                                                        {false, 0.015, true},
                                                        {false, 0.15, true},
                                                        {false, 1.5, true},
                                                        {true, 0.0015, false},
                                                        {true, 0.015, false},
                                                        {true, 0.15, true},
                                                        {true, 1.5, true}}};
  static constexpr std::size_t first_longer = 4;
  static constexpr std::uint64_t usual = 6;
  static constexpr std::uint64_t usual_off_policy = 5;
  static constexpr std::size_t probes = 8;

  /// What the score of a candidate is made of; `fitted` is the trace.
  struct Fit {
    double misfit = 0, fitted = 0;
    bool found = false;
  };

  void draw_signs() {
    const std::uint64_t bits = signs_.bits();
    for (std::size_t k = 0; k < probes; ++k) sign_[k] = (bits >> k & 1U) != 0 ? 1.0 : -1.0;
  }
  template <class E>
  void add_to_probes(const E& e, std::vector<double>& sums) {
    e.for_each([&](std::size_t j, double value) {
      for (std::size_t k = 0; k < probes; ++k) sums[j * probes + k] += sign_[k] * value;
    });
  }

  void form_normal_equations(const SummedEquations& equations, const std::vector<double>& probe_sums);
  Fit fit(const SummedEquations& longer, double kappa, double* v);
  void solve(const double* rhs, double* v);

  SummedEquations shorter_;  // lambda = 0
  ErrorMoments errors_;
  std::vector<double> longer_probes_, shorter_probes_;  // probe k of equation i at 8 i + k
  Rng signs_{0, 0, Purpose::learner};
  std::uint64_t best_ = usual;
  std::uint64_t last_ = 0;  // steps at the last choice

  // Work space.
  std::array<double, probes> sign_{};
  std::vector<double> gram_, factor_;  // S^T C S; first C^1/2 S by columns, then R^-1 with R^T R = S^T C S + kappa
  std::vector<double> rhs_;            // S^T C b, and the same of the probes
  std::vector<double> c_, judging_;    // 1 / N of the equations being solved and of the longer traces
  std::vector<double> solutions_, u_, out_;
};

}  // namespace bellwether
