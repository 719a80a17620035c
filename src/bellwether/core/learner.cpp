#include <bellwether/core/learner.h>

#include <cmath>

#include <fmt/format.h>

namespace bellwether {

Learner::Learner(std::size_t dim) : dim_(dim) {
  if (dim == 0) throw InvalidArgument("a learner needs at least one feature, not 0");
}

void Learner::learn(const Batch& batch) {
  if (batch.dim() != dim_) {
    throw InvalidArgument(fmt::format("{}: the batch has {} features, the learner {}", type(), batch.dim(), dim_));
  }
  if (batch.x_next.dim != dim_ || batch.x_next.layout != batch.x.layout) {
    throw InvalidArgument(fmt::format("{}: x and x_next of a batch differ in layout or number of features", type()));
  }
  if (!diverged_at_) {
    const std::size_t learned = learn_steps(batch);
    if (learned < batch.size) diverged_at_ = steps_ + learned;
  }
  steps_ += batch.size;
}

void Learner::predict(const FeatureRows& rows, std::span<double> values) const {
  for (std::size_t i = 0; i < rows.rows; ++i) values[i] = predict(rows.row(i));
}

std::vector<double> Learner::weights() const {
  std::vector<double> w(dim_);
  weights(w);
  return w;
}

void Learner::start_from(std::span<const double> w) {
  if (w.size() != dim_) {
    throw InvalidArgument(fmt::format("{}: {} starting weights for {} features", type(), w.size(), dim_));
  }
  if (steps_ > 0) {
    throw InvalidArgument(fmt::format("{}: starting weights are given after {} steps of learning", type(), steps_));
  }
  for (const double v : w) {
    if (!std::isfinite(v)) throw InvalidArgument(fmt::format("{}: a starting weight is {}", type(), v));
  }
  assign_weights(w);
}

}  // namespace bellwether
