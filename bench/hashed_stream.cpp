#include "hashed_stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <bellwether/core/support/rng.h>

namespace bellwether::bench {
namespace {

std::uint64_t mixed(std::uint64_t v) {
  v *= 0x9E3779B97F4A7C15U;
  v ^= v >> 29U;
  v *= 0xBF58476D1CE4E5B9U;
  return v ^ (v >> 32U);
}

}  // namespace

BatchBuffer hashed(Layout layout, std::size_t dim, std::size_t active, std::size_t steps, double discount,
                   std::uint64_t seed) {
  Rng rng(seed);
  BatchBuffer buffer(layout, dim);
  std::vector<std::uint64_t> category(active - 1);
  const auto draw = [&](std::size_t field) {
    const auto k = static_cast<std::uint64_t>(std::exp(rng.uniform() * std::log(200'000.0)));
    category[field] = mixed(k * 1'000'003 + field);
  };
  std::vector<std::uint32_t> features;
  double worth = 0;
  const auto add_state = [&] {
    features.assign(1, 0U);
    for (const std::uint64_t c : category) features.push_back(static_cast<std::uint32_t>(1 + c % (dim - 1)));
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    worth = 0;
    for (const std::uint32_t j : features) {
      const double value = layout == Layout::binary || j == 0 ? 1.0 : 0.5 + static_cast<double>(j % 97) / 97;
      buffer.x().add(j, value);
      worth += value * (static_cast<double>(mixed(j) % 1000) / 500 - 1);
    }
    buffer.x().end_row();
  };
  for (std::size_t i = 0; i < category.size(); ++i) draw(i);
  add_state();
  for (std::size_t t = 0; t < steps; ++t) {
    const bool end = t + 1 == steps || rng.below(50) == 0;
    buffer.add({.reward = 0.1 * worth + rng.uniform() - 0.5, .discount = end ? 0.0 : discount});
    for (std::size_t i = 0; i < category.size(); ++i) {
      if (end || (i >= category.size() / 2 && rng.below(2) == 0)) draw(i);
    }
    add_state();
  }
  return buffer;
}

}  // namespace bellwether::bench
