#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include <bellwether/core/learner.h>
#include <bellwether/learners/support/step_size.h>

namespace bellwether {

/// A step as the update rules are written (docs/notation.md): the learner carries what belongs to the step before.
template <class X>
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
};

/// What every learner of a linear value function v(s) = w.x(s) shares: the loop over steps, the bookkeeping between
/// them, and the choice of the layout. A learner derives from LinearLearner<itself>, has `name`, `doc` and
/// `Params`, and implements
///
///     template <class X> bool update(const Transition<X>& s);   // false: diverged, and nothing was changed
///     template <class X> double value(const X& x) const;        // w.x
///     void read(std::span<double> w) const;                     // copies w out
///     void assign(std::span<const double> w);                   // and in
template <class Derived>
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

 protected:
  explicit LinearLearner(std::size_t dim) : Learner(dim) {}

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  void assign_weights(std::span<const double> w) final { self().assign(w); }

  std::size_t learn_steps(const Batch& batch) final {
    switch (batch.x.layout) {
      case Layout::dense: return learn_as<DenseView>(batch);
      case Layout::sparse: return learn_as<SparseView>(batch);
      default: return learn_as<BinaryView>(batch);
    }
  }

  template <class X>
  std::size_t learn_as(const Batch& batch) {
    const auto& params = self().params();
    const auto given = [](const double* array, std::size_t i) { return array == nullptr ? 1.0 : array[i]; };
    double lambda = 1;
    if constexpr (requires { params.lambda; }) lambda = params.lambda;
    if (t_ == 0) l_ = lambda;
    for (std::size_t i = 0; i < batch.size; ++i) {
      const bool restart = batch.restart != nullptr && batch.restart[i] != 0;
      const double g = restart ? 0.0 : g_;
      if (g == 0) ++episode_;
      double step = 1;
      if constexpr (requires { params.schedule; }) step = schedule_factor(params.schedule, params.n0, t_, episode_);
      const double gn = batch.discount[i];
      const X x = batch.x.as<X>(i);
      const Transition<X> s{.x = x,
                            .xn = gn == 0 ? x : batch.x_next.as<X>(i),  // what comes after the end is not looked at
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
                            .step = step};
      if (!bounded(s.gn, s.ln) || !self().update(s)) return i;
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
