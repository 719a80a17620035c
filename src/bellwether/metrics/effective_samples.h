#pragma once

#include <span>

#include <bellwether/metrics/measure.h>

namespace bellwether {

/// The number of on-policy samples that n off-policy ones are worth, from the spread of their importance ratios (Kish
/// 1965):
///
///   n_eff = (sum rho)^2 / sum rho^2        1 <= n_eff <= n; n_eff = n when all ratios are equal, 0 when all are 0
///
/// It applies to averages of rho_t f(S_t, A_t). A trace multiplies several ratios, so a learner with lambda > 0 has
/// fewer effective samples than this number says. Ratios are >= 0, which is not checked.
///
///     effective_sample_size(std::array{1.0, 1.0, 1.0, 1.0});  // 4: on-policy
///     effective_sample_size(std::array{2.0, 0.0, 2.0, 0.0});  // 2: half of the actions are never taken by the target
///     effective_sample_size(std::array{9.0, 0.1, 0.1, 0.1});  // 1.07: one step decides everything
///
/// `learn` reports it as LearnSummary::effective_samples, and warns when it is below a tenth of the steps.
double effective_sample_size(std::span<const double> rho);

/// The effective sample size of the steps observed so far, as a count: 0 before the first step, the number of steps
/// on-policy. It does not depend on the learner; as a measure it is the metric `effective_samples` of studies. Two
/// numbers are kept, so it costs nothing to carry along and two of them can be added up.
class EffectiveSamples final : public Measure {
 public:
  void observe(const Batch& batch) override;  // adds the ratios of these steps
  using Measure::operator();
  double operator()(std::span<const double>) override { return count(); }

  /// Adds one step with this ratio.
  void add(double rho) {
    sum_ += rho;
    squares_ += rho * rho;
  }
  /// Adds the steps that `other` has observed.
  void add(const EffectiveSamples& other) {
    sum_ += other.sum_;
    squares_ += other.squares_;
  }
  /// n_eff of all steps added.
  double count() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

  /// All that is kept, for saving (core/state.h).
  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.sum_, self.squares_);
  }

 private:
  double sum_ = 0;      // of rho
  double squares_ = 0;  // of rho^2
};

}  // namespace bellwether
