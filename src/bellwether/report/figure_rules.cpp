#include <bellwether/report/figure_rules.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace bellwether {

bool explodes(double first, double last) { return !std::isfinite(last) || last > far_off * first; }

double ceiling(double before_learning, std::span<const double> best) {
  double highest = 2 * before_learning;
  if (!best.empty()) highest = std::max(highest, best.front());
  for (const double error : best) {
    if (error <= far_off * before_learning) highest = std::max(highest, error);
  }
  return highest;
}

std::vector<std::size_t> front(std::span<const CostPoint> points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].diverges) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(points[a].cost, points[a].error) < std::tie(points[b].cost, points[b].error);
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    if (front.empty() || points[i].error < points[front.back()].error) front.push_back(i);
  }
  return front;
}

bool suits_log(std::span<const double> values) {
  if (values.empty()) return false;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 20 * *low;
}

}  // namespace bellwether
