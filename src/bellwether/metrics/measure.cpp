#include <bellwether/metrics/measure.h>

namespace bellwether {

double Measure::operator()(const Learner& learner) {
  w_.resize(learner.dim());
  learner.weights(w_);
  return (*this)(w_);
}

void Measure::eight(std::span<const double> lanes, std::span<double> results) {
  w_.resize(lanes.size() / 8);
  for (std::size_t l = 0; l < results.size(); ++l) {
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = lanes[8 * j + l];
    results[l] = (*this)(w_);
  }
}

}  // namespace bellwether
