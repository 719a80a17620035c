#pragma once

#include <span>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/learner.h>

namespace bellwether {

/// Anything that can be recorded about a learner during a run: an error of its values, the size of its Bellman
/// residual, or a property of the steps it learned from.
///
///     const Batch batch = stream.next(1000);
///     learner->learn(batch);
///     measure.observe(batch);
///     curve.push_back(measure(*learner));
///
/// Measuring never changes the learner. A measure may keep work space between calls, so that only the first measurement
/// allocates; each thread and each run needs its own. `Evaluator` (metrics/value_error.h) and `EffectiveSamples` are
/// measures; one of your own derives from this class and defines the function of the weights.
class Measure {
 public:
  virtual ~Measure() = default;

  /// Called with the steps that were just learned, in order. Most measures ignore them.
  virtual void observe(const Batch&) {}

  /// Measures weights w, where v(s) = w.x(s). Some results are errors, of which smaller is better; larger_is_better
  /// (metrics/metric.h) tells.
  virtual double operator()(std::span<const double> w) = 0;

  /// Measures up to eight interleaved weight vectors, w_j of the l-th at lanes[8 j + l], and writes one result for each
  /// entry of `results`; the same bits as one by one. Override it where eight at once are faster.
  virtual void eight(std::span<const double> lanes, std::span<double> results);

  /// Measures the present weights of a learner. A class that overrides the function above says `using
  /// Measure::operator();` to keep this one visible.
  double operator()(const Learner& learner);

 protected:
  Measure() = default;
  Measure(const Measure&) = default;
  Measure(Measure&&) = default;
  Measure& operator=(const Measure&) = default;
  Measure& operator=(Measure&&) = default;

 private:
  std::vector<double> w_;  // work space: the weights of the learner that is measured
};

}  // namespace bellwether
