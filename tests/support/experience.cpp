#include "support/experience.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <bellwether/core/support/rng.h>

namespace bellwether::testing {

BatchBuffer Experience::as(Layout layout) const {
  assert(active <= dim);
  BatchBuffer buffer(layout, dim);
  Rng rng(seed);
  std::vector<std::uint32_t> order(dim);
  std::iota(order.begin(), order.end(), 0U);

  const auto add_state = [&] {
    for (std::size_t i = 0; i < active; ++i) std::swap(order[i], order[i + rng.below(dim - i)]);
    std::span<double> row;
    if (layout == Layout::dense) row = buffer.x().add_dense();
    for (std::size_t i = 0; i < active; ++i) {
      const double u = rng.uniform();
      const double value = binary ? 1.0 : feature_scale * (non_negative ? u : 2 * u - 1);
      if (layout == Layout::dense) row[order[i]] = value;
      else buffer.x().add(order[i], value);
    }
    if (layout != Layout::dense) buffer.x().end_row();
  };

  add_state();
  for (std::size_t t = 0; t < steps; ++t) {
    Step step;
    step.reward = reward_scale * (2 * rng.uniform() - 1);
    const double gamma = random_discount ? rng.uniform() : discount;
    step.discount = rng.uniform() < end_probability ? 0.0 : gamma;
    if (off_policy) {
      step.rho = 0.5 * static_cast<double>(rng.below(5));
      step.pi = step.rho == 0 ? 0.0 : 0.1 + 0.8 * rng.uniform();
    }
    if (state_dependent) {
      step.interest = 2 * rng.uniform();
      step.lambda = rng.uniform();
    }
    step.restart = restart_probability > 0 && rng.uniform() < restart_probability;
    buffer.add(step);
    add_state();
  }
  return buffer;
}

double max_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::abs(a[j] - b[j]));
  return most;
}

double max_size(const std::vector<double>& a) { return max_difference(a, std::vector<double>(a.size(), 0.0)); }

}  // namespace bellwether::testing
