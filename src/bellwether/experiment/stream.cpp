#include <bellwether/experiment/stream.h>

#include <utility>

namespace bellwether {

Stream::Stream(const Domain& domain, std::shared_ptr<const FeatureMap> features, std::uint64_t seed, std::uint64_t run)
    : domain_(domain),
      features_(std::move(features)),
      rng_(seed, run, Purpose::trajectory),
      state_(domain.variables().size()),
      buffer_(features_->layout(), features_->dim()) {
  domain_.start(rng_, state_);
  features_->append(state_, buffer_.x(), moment_);
}

Batch Stream::next(std::size_t n) {
  buffer_.keep_last_state();
  for (std::size_t i = 0; i < n; ++i) {
    const Outcome outcome = domain_.step(rng_, state_);
    ++moment_.step;
    if (outcome.discount == 0) {
      ++moment_.episode;
      domain_.start(rng_, state_);
    }
    features_->append(state_, buffer_.x(), moment_);
    buffer_.add({.reward = outcome.reward, .discount = outcome.discount, .rho = outcome.rho, .pi = outcome.pi});
  }
  return buffer_.view();
}

BatchBuffer Stream::take(std::size_t n) {
  next(n);
  BatchBuffer empty(features_->layout(), features_->dim());
  features_->append(state_, empty.x(), moment_);
  return std::exchange(buffer_, std::move(empty));
}

}  // namespace bellwether
