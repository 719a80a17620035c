#pragma once

#include <span>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/learner.h>

namespace bellwether {

/// Anything that can be recorded about a learner during a run: an error of its values, the size of its Bellman
/// residual, or a property of the steps it learned from.
///
///     learner.learn(batch);
///     measure.observe(batch);
///     curve.push_back(measure(learner));
///
/// Measuring never changes the learner. A measure may keep work space between calls, so that only the first measurement
/// allocates; each thread and each run needs its own.
class Measure {
 public:
  virtual ~Measure() = default;

  /// Called with the steps that were just learned, in order. Most measures ignore them.
  virtual void observe(const Batch&) {}

  /// Measures weights w, where v(s) = w.x(s).
  virtual double operator()(std::span<const double> w) = 0;

  /// Measures eight interleaved weight vectors, w_j of the l-th at lanes[8 j + l]; the same bits as one by one.
  virtual void eight(std::span<const double> lanes, std::span<double> results);

  double operator()(const Learner& learner);

 protected:
  Measure() = default;
  Measure(const Measure&) = default;
  Measure(Measure&&) = default;
  Measure& operator=(const Measure&) = default;
  Measure& operator=(Measure&&) = default;

 private:
  std::vector<double> w_;
};

}  // namespace bellwether
