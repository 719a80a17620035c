#pragma once

#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/simd/values.h>

namespace bellwether {

/// A learner that has to work for its weights when asked: for the values of many states they are formed once.
template <class Derived>
class WeightsOnDemand : public LinearLearner<Derived> {
 public:
  using LinearLearner<Derived>::predict;

  void predict(const FeatureRows& rows, std::span<double> values) const final {
    if (rows.rows == 1) return Learner::predict(rows, values);
    values_of(rows, this->weights(), values);
  }

 protected:
  using LinearLearner<Derived>::LinearLearner;
};

}  // namespace bellwether
