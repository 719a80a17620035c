#include <bellwether/model/start_returns.h>

#include <cmath>

#include <bellwether/data/steps.h>

namespace bellwether {

void StartReturns::add(const Batch& steps) {
  for (std::size_t t = 0; t < steps.size; ++t) {
    if (steps.restart != nullptr && steps.restart[t] != 0) {
      begin();
      from_start_ = static_cast<Restart>(steps.restart[t]) != Restart::jump;
    }
    weight_ *= steps.rho == nullptr ? 1.0 : steps.rho[t];
    sum_ += weight_ * steps.reward[t];
    weight_ *= steps.discount[t];
    if (steps.discount[t] != 0) continue;
    if (from_start_) {
      ++episodes_;
      total_ += sum_;
      squares_ += sum_ * sum_;
    }
    begin();
  }
}

void StartReturns::absorb(const StartReturns& other) {
  episodes_ += other.episodes_;
  total_ += other.total_;
  squares_ += other.squares_;
  weight_ = other.weight_;
  sum_ = other.sum_;
  from_start_ = other.from_start_;
}

double StartReturns::standard_error() const {
  const auto n = static_cast<double>(episodes_);
  return std::sqrt(std::fmax(0, squares_ / n - mean() * mean()) / n);
}

void StartReturns::begin() {
  weight_ = 1;
  sum_ = 0;
  from_start_ = true;
}

}  // namespace bellwether
