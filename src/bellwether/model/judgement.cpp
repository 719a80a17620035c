#include <bellwether/model/judgement.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/values.h>
#include <bellwether/metrics/projected_product.h>

namespace bellwether {
namespace {

using Numbers = std::vector<double>;

double ratio(const Batch& steps, std::size_t t) { return steps.rho == nullptr ? 1.0 : steps.rho[t]; }

/// Whether step t + 1 continues step t.
bool continues(const Batch& steps, std::size_t t) {
  return t + 1 < steps.size && steps.discount[t] > 0 && (steps.restart == nullptr || steps.restart[t + 1] == 0);
}

/// The root of p(g_1, g_2) with alternate episodes in the two halves, or alternate steps where there is only one.
std::optional<double> projected_error(const Batch& steps, const Numbers& y) {
  std::array<Numbers, 2> g{Numbers(steps.dim(), 0.0), Numbers(steps.dim(), 0.0)};
  bool whole_episodes = false;
  for (std::size_t t = 0; t + 1 < steps.size; ++t) whole_episodes = whole_episodes || !continues(steps, t);
  std::array<double, 2> counts{};
  std::size_t half = 0;
  const std::size_t length = steps.size / 20 + 1;  // without ends: runs of a twentieth
  for (std::size_t t = 0; t < steps.size; ++t) {
    visit(steps.x.row(t), [&](const auto& x) { kernels::axpy(y[t], x, g[half].data()); });
    ++counts[half];
    if (whole_episodes ? !continues(steps, t) : (t + 1) % length == 0) half = 1 - half;
  }
  if (counts[0] == 0 || counts[1] == 0) return 0.0;
  for (std::size_t k = 0; k < 2; ++k) kernels::scale(1 / counts[k], g[k].data(), g[k].size());
  const ProjectedProduct square = projected_product(steps.x, g[0], g[1]);
  if (!square.finite) return std::nullopt;
  return std::sqrt(std::max(0.0, square.value));
}

}  // namespace

Judgement judge(const Batch& steps, std::span<const double> w, double lambda, std::optional<std::size_t> features,
                std::vector<PredictedReturn>* returns) {
  Judgement found;
  found.steps = steps.size;
  if (returns != nullptr) returns->clear();
  if (steps.size == 0) return found;
  Numbers v(steps.size), next(steps.size), y(steps.size);
  values_of(steps.x.slice(0, steps.size), w, v);
  values_of(steps.x_next.slice(0, steps.size), w, next);
  double squares = 0, trailing = 0, outcome = 0, errors = 0;
  bool known = false;       // whether the episode of step t ends within these steps
  std::size_t episode = 0;  // its number, from the last
  for (std::size_t t = steps.size; t-- > 0;) {
    const double rho = ratio(steps, t), gamma = steps.discount[t];
    const double delta = steps.reward[t] + (gamma > 0 ? gamma * next[t] : 0) - v[t];
    squares += rho * delta * delta;
    const bool on = continues(steps, t);
    if (!on) ++episode;
    trailing = rho * (delta + (on ? gamma * lambda * trailing : 0));
    y[t] = trailing;
    known = gamma == 0 || (on && known);
    outcome = rho * (steps.reward[t] + (on ? gamma * outcome : 0));
    if (!known) continue;
    ++found.returns;
    found.mean_return += outcome;
    found.mean_value += v[t];
    errors += (outcome - v[t]) * (outcome - v[t]);
    if (returns != nullptr) returns->push_back({v[t], outcome, episode});
  }
  if (returns != nullptr) std::reverse(returns->begin(), returns->end());
  found.td_error = std::sqrt(squares / static_cast<double>(steps.size));
  if (found.returns > 0) {
    const auto n = static_cast<double>(found.returns);
    found.mean_return /= n;
    found.mean_value /= n;
    found.return_error = std::sqrt(errors / n);
  }
  if (steps.size >= features.value_or(steps.dim())) {
    const FeatureRows x = steps.x.slice(0, steps.size);
    Batch judged = steps;
    judged.x = x;
    found.projected = projected_error(judged, y);
  }
  return found;
}

}  // namespace bellwether
