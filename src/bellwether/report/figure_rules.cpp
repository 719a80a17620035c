#include <bellwether/report/figure_rules.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bellwether {

bool explodes(double before_learning, double last) { return !std::isfinite(last) || last > far_off * before_learning; }

double ceiling(double before_learning, std::span<const double> best) {
  double highest = 2 * before_learning;
  if (!best.empty()) highest = std::max(highest, best.front());
  for (const double error : best) {
    if (error <= far_off * before_learning) highest = std::max(highest, error);
  }
  return highest;
}

std::vector<std::size_t> front(std::span<const CostPoint> points, bool larger_is_better) {
  const auto error = [&](std::size_t i) { return larger_is_better ? -points[i].error : points[i].error; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].diverges) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(points[a].cost, error(a)) < std::pair(points[b].cost, error(b));
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    if (front.empty() || error(i) < error(front.back())) front.push_back(i);
  }
  return front;
}

bool suits_log(std::span<const double> values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 20 * *low;
}

}  // namespace bellwether
