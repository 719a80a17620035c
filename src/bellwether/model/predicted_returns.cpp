#include <bellwether/model/predicted_returns.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include <bellwether/core/support/statistics.h>

namespace bellwether {
namespace {

ReturnGroup group_of(std::span<const PredictedReturn> members) {
  ReturnGroup group{.steps = members.size()};
  const auto n = static_cast<double>(members.size());
  for (const PredictedReturn& one : members) {
    group.mean_value += one.value / n;
    group.mean_return += one.outcome / n;
  }
  std::map<std::size_t, double> deviations;  // of each episode
  for (const PredictedReturn& one : members) deviations[one.episode] += one.outcome - group.mean_return;
  group.episodes = deviations.size();
  if (group.episodes < 2) return group;
  double squares = 0;
  for (const auto& [episode, deviation] : deviations) squares += deviation * deviation;
  const auto episodes = static_cast<double>(group.episodes);
  group.half_width = student_t_95(group.episodes - 1) * std::sqrt(squares * episodes / (episodes - 1)) / n;
  return group;
}

}  // namespace

PredictedReturns predicted_returns(const std::vector<PredictedReturn>& all, std::uint64_t after) {
  constexpr std::size_t most_groups = 10, most_points = 400;
  PredictedReturns found{.after = after, .steps = all.size(), .groups = {}, .sample = {}};
  const std::size_t stride = std::max<std::size_t>(1, (all.size() + most_points - 1) / most_points);
  for (std::size_t i = 0; i < all.size(); i += stride) found.sample.push_back(all[i]);

  std::vector<PredictedReturn> sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const PredictedReturn& a, const PredictedReturn& b) { return a.value < b.value; });
  std::size_t first = 0;
  for (std::size_t g = 1; g <= most_groups; ++g) {
    std::size_t last = g * sorted.size() / most_groups;
    if (last <= first) continue;
    while (last < sorted.size() && sorted[last].value == sorted[last - 1].value) ++last;
    found.groups.push_back(group_of(std::span(sorted).subspan(first, last - first)));
    first = last;
  }
  return found;
}

}  // namespace bellwether
