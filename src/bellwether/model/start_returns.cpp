#include <bellwether/model/start_returns.h>

#include <cmath>
#include <limits>

#include <bellwether/core/support/statistics.h>
#include <bellwether/data/steps.h>

namespace bellwether {

void StartReturns::add(const Batch& steps) {
  // Of the current episode, in registers.
  double weight = weight_, sum = sum_;
  std::size_t first = 0;  // of its steps in this batch
  const auto write_back = [&](std::size_t end) {
    weight_ = weight;
    sum_ = sum;
    length_ += end - first;
    first = end;
  };
  const auto begin_here = [&] {
    begin();
    weight = weight_;
    sum = sum_;
  };
  for (std::size_t t = 0; t < steps.size; ++t) {
    if (steps.restart != nullptr && steps.restart[t] != 0) {
      write_back(t);
      count_as_cut();
      begin_here();
      from_start_ = static_cast<Restart>(steps.restart[t]) != Restart::jump;
    }
    if (steps.rho != nullptr) {
      weight *= steps.rho[t];
      weighted_ = weighted_ || steps.rho[t] != 1;
    }
    sum += weight * steps.reward[t];
    weight *= steps.discount[t];
    if (steps.discount[t] != 0) continue;
    write_back(t + 1);
    if (from_start_) {
      ++episodes_;
      steps_ended_ += length_;
      total_ += sum_;
      squares_ += sum_ * sum_;
    }
    begin_here();
  }
  write_back(steps.size);
}

void StartReturns::absorb(const StartReturns& other) {
  count_as_cut();
  episodes_ += other.episodes_;
  cut_short_ += other.cut_short_;
  steps_ended_ += other.steps_ended_;
  steps_cut_ += other.steps_cut_;
  length_ = other.length_;
  weighted_ = weighted_ || other.weighted_;
  total_ += other.total_;
  squares_ += other.squares_;
  weight_ = other.weight_;
  sum_ = other.sum_;
  from_start_ = other.from_start_;
}

double StartReturns::standard_error() const {
  const auto n = static_cast<double>(episodes_);
  return std::sqrt(std::fmax(0, squares_ / n - mean() * mean()) / (n - 1));
}

double StartReturns::half_width() const {
  return episodes_ < 2 ? std::numeric_limits<double>::quiet_NaN() : student_t_95(episodes_ - 1) * standard_error();
}

void StartReturns::count_as_cut() {
  if (!is_open()) return;
  ++cut_short_;
  steps_cut_ += length_;
}

void StartReturns::begin() {
  length_ = 0;
  weight_ = 1;
  sum_ = 0;
  from_start_ = true;
}

}  // namespace bellwether
