#include <bellwether/core/batch.h>

#include <cassert>

namespace bellwether {

Batch Batch::slice(std::size_t first, std::size_t count) const {
  const auto from = [first](auto* array) { return array == nullptr ? array : array + first; };
  return {count,        x.slice(first, count), x_next.slice(first, count),
          from(reward), from(discount),        from(rho),
          from(pi),     from(interest),        from(lambda),
          from(restart)};
}

void BatchBuffer::add(const Step& step) {
  reward_.push_back(step.reward);
  discount_.push_back(step.discount);
  rho_.push_back(step.rho);
  pi_.push_back(step.pi);
  interest_.push_back(step.interest);
  lambda_.push_back(step.lambda);
  restart_.push_back(step.restart ? 1 : 0);
}

void BatchBuffer::keep_last_state() {
  x_.keep_last();
  for (auto* array : {&reward_, &discount_, &rho_, &pi_, &interest_, &lambda_}) array->clear();
  restart_.clear();
}

Batch BatchBuffer::view() const {
  const std::size_t n = size();
  assert(x_.rows() == n + 1);
  const FeatureRows rows = x_.view();
  return {n,
          rows.slice(0, n),
          rows.slice(n == 0 ? 0 : 1, n),
          reward_.data(),
          discount_.data(),
          rho_.data(),
          pi_.data(),
          interest_.data(),
          lambda_.data(),
          restart_.data()};
}

}  // namespace bellwether
