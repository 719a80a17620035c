#pragma once

#include <bellwether/learners/support/linear_learner.h>
#include <bellwether/linalg/kernels.h>

namespace bellwether {

/// A learner that has to work for its weights when asked: for the values of many states they are formed once.
template <class Derived>
class WeightsOnDemand : public LinearLearner<Derived> {
 public:
  using LinearLearner<Derived>::predict;

  void predict(const FeatureRows& rows, std::span<double> values) const final {
    if (rows.rows == 1) return Learner::predict(rows, values);
    const std::vector<double> w = this->weights();
    for (std::size_t i = 0; i < rows.rows; ++i) {
      values[i] = visit(rows.row(i), [&](const auto& x) { return kernels::dot(x, w.data()); });
    }
  }

 protected:
  using LinearLearner<Derived>::LinearLearner;
};

}  // namespace bellwether
