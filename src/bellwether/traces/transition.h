#pragma once

#include <cstdint>

#include <bellwether/core/learner.h>
#include <bellwether/core/learner_checks.h>
#include <bellwether/traces/step_size.h>

namespace bellwether {

/// Lets a learner take a step only while its numbers are finite and below the divergence limit.
struct FiniteGuard {
  template <class... T>
  static bool allows(T... numbers) {
    return bounded(numbers...);
  }
};

/// A step as the update rules are written (docs/notation.md), with what they need of the step before.
///
/// `Guard` decides whether a step may be taken: FiniteGuard for one learner, eight lanes of learners otherwise
/// (learners/sharing/lanes.h).
template <class X, class Guard = FiniteGuard>
struct Transition {
  X x;          // features of S_t
  X xn;         // features of S_{t+1}
  double r;     // R_{t+1}
  double g;     // gamma_t: discount that led into S_t, 0 at the start of an episode
  double gn;    // gamma_{t+1}: discount that leads out of S_t
  double l;     // lambda_t, the learner's lambda times the step's factor (the factor alone if it has no lambda)
  double ln;    // lambda_{t+1}
  double rho;   // rho_t
  double rhop;  // rho_{t-1}
  double pi;    // pi(A_t|S_t)
  double pip;   // pi(A_{t-1}|S_{t-1})
  double i;     // interest in S_t
  double step;  // the schedule's factor of the step sizes
  Guard& guard;

  /// Whether a step with these numbers in it may be taken. If not, `update` returns false and leaves the weights alone.
  template <class... T>
  bool allows(const T&... numbers) const {
    return guard.allows(numbers...);
  }
};

/// Walks through the steps of one batch after another and remembers what the update rules need of the previous step.
class StepWalk {
 public:
  /// Calls `update(s)` with every transition until it returns false; returns how often it returned true. The walk also
  /// ends at a discount or a lambda out of range.
  template <class Params, class Guard, class Update>
  std::size_t through(const Batch& batch, const Params& params, Guard& guard, Update&& update) {
    switch (batch.x.layout) {
      case Layout::dense: return walk<DenseView>(batch, params, guard, update);
      case Layout::sparse: return walk<SparseView>(batch, params, guard, update);
      default: return walk<BinaryView>(batch, params, guard, update);
    }
  }

  /// Steps taken so far.
  std::uint64_t steps() const { return t_; }

  /// Continues from where `other` is, as if its steps had been taken after those of this walk.
  void append(const StepWalk& other) {
    const StepWalk before = *this;
    *this = other;
    t_ += before.t_;
    episode_ += before.episode_;
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.t_, self.episode_, self.g_, self.l_, self.rho_, self.pi_);
  }

 private:
  template <class X, class Params, class Guard, class Update>
  std::size_t walk(const Batch& batch, const Params& params, Guard& guard, Update& update) {
    const auto given = [](const double* array, std::size_t i) { return array == nullptr ? 1.0 : array[i]; };
    const double lambda = lambda_of(params);
    if (t_ == 0) l_ = lambda;
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool restart = batch.restart != nullptr && batch.restart[i] != 0;
      const double g = restart ? 0.0 : g_;
      if (g == 0) ++episode_;
      double step = 1;
      if constexpr (requires { params.schedule; }) step = schedule_factor(params.schedule, params.n0, t_, episode_);
      const double gn = batch.discount[i];
      const X x = batch.x.as<X>(i);
      const Transition<X, Guard> s{.x = x,
                                   .xn = gn == 0 ? x : batch.x_next.as<X>(i),  // nothing follows the end of an episode
                                   .r = batch.reward[i],
                                   .g = g,
                                   .gn = gn,
                                   .l = l_,
                                   .ln = lambda * given(batch.lambda, i),
                                   .rho = given(batch.rho, i),
                                   .rhop = rho_,
                                   .pi = given(batch.pi, i),
                                   .pip = pi_,
                                   .i = given(batch.interest, i),
                                   .step = step,
                                   .guard = guard};
      if (!bounded(s.gn, s.ln) || !update(s)) return i;
      g_ = s.gn;
      l_ = s.ln;
      rho_ = s.rho;
      pi_ = s.pi;
      ++t_;
    }
    return batch.size;
  }

  std::uint64_t t_ = 0;
  std::uint64_t episode_ = 0;
  double g_ = 0;
  double l_ = 0;
  double rho_ = 1;
  double pi_ = 1;
};

}  // namespace bellwether
