#include "changing_chain.h"

#include <algorithm>

namespace bellwether::bench {

namespace {

constexpr double onward = 0.7;  // probability of the next state on the ring

}  // namespace

ChangingChain::ChangingChain(std::size_t dim, std::uint64_t seed)
    : dim_(dim),
      rng_(seed),
      features_(2 * dim),
      rewards_(2 * dim),
      states_(Layout::sparse, dim),
      buffer_(Layout::sparse, dim) {
  for (std::size_t s = 0; s < features_.size(); ++s) draw_features(s);
  change();
}

void ChangingChain::draw_features(std::size_t state) {
  auto& row = features_[state];
  row.clear();
  while (row.size() < active) {
    const auto index = static_cast<std::uint32_t>(rng_.below(dim_));
    const bool taken = std::any_of(row.begin(), row.end(), [&](const Feature& f) { return f.index == index; });
    if (!taken) row.push_back({index, 0.5 + rng_.uniform()});
  }
  std::sort(row.begin(), row.end(), [](const Feature& a, const Feature& b) { return a.index < b.index; });
}

void ChangingChain::change() {
  for (std::size_t i = 0; i < features_.size() / 8; ++i) draw_features(rng_.below(features_.size()));
  for (double& r : rewards_) r = rng_.uniform();
  states_.clear();
  for (const auto& row : features_) {
    for (const Feature& f : row) states_.add(f.index, f.value);
    states_.end_row();
  }
  buffer_.keep_last_state();
  buffer_.x().clear();  // its features may have changed
  solve();
}

/// v = r + gamma P v: P contracts by gamma, so iterations converge to rounding.
void ChangingChain::solve() {
  const std::size_t n = rewards_.size();
  const double kept = discount * (1 - end_probability);
  values_.assign(n, 0.0);
  for (int i = 0; i < 600; ++i) {
    double mean = 0;
    for (const double v : values_) mean += v / static_cast<double>(n);
    const double first = values_[0];
    for (std::size_t s = 0; s < n; ++s) {
      const double next = s + 1 < n ? values_[s + 1] : first;
      values_[s] = rewards_[s] + kept * (onward * next + (1 - onward) * mean);
    }
  }
}

Batch ChangingChain::next(std::size_t steps) {
  const auto add_state = [this] {
    for (const Feature& f : features_[at_]) buffer_.x().add(f.index, f.value);
    buffer_.x().end_row();
  };
  buffer_.keep_last_state();
  buffer_.x().clear();
  add_state();
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t n = features_.size();
    const double reward = rewards_[at_];
    at_ = rng_.uniform() < onward ? (at_ + 1) % n : rng_.below(n);
    buffer_.add({.reward = reward, .discount = rng_.uniform() < end_probability ? 0.0 : discount});
    add_state();
  }
  return buffer_.view();
}

}  // namespace bellwether::bench
