#include <bellwether/metrics/metric.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

std::optional<Metric> metric_called(const std::string& name) {
  const auto all = detail::choices<Metric>();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) return std::nullopt;
  return static_cast<Metric>(found - all.begin());
}

}  // namespace

std::string title(Metric metric) {
  switch (metric) {
    case Metric::relative: return "relative error";
    case Metric::fixed_point: return "distance to fixed point";
    case Metric::effective_samples: return "effective samples";
    default: return detail::format(metric);
  }
}

std::optional<ValueError> value_error_of(Metric metric) {
  if (metric == Metric::relative) return ValueError::relative;
  if (metric == Metric::rmse) return ValueError::rmse;
  return std::nullopt;
}

bool larger_is_better(Metric metric) { return metric == Metric::effective_samples; }

std::string title_of_metric(const std::string& name) {
  const auto metric = metric_called(name);
  return metric ? title(*metric) : name;
}

bool larger_is_better(const std::string& name) {
  const auto metric = metric_called(name);
  return metric && larger_is_better(*metric);
}

bool has_grown(Metric metric, double first, double last) {
  constexpr double millionfold = 1e6;
  return !larger_is_better(metric) && first > 0 && last > millionfold * first;
}

bool has_grown(const std::string& metric, double first, double last) {
  const auto known = metric_called(metric);
  return known && has_grown(*known, first, last);
}

void check_metric(Metric metric, const Domain& domain, std::size_t dim, const BellmanParams& params) {
  if (domain.model() != nullptr || (metric != Metric::mspbe && metric != Metric::fixed_point)) return;
  constexpr std::size_t most = 4096;
  if (metric == Metric::fixed_point && dim > most) {
    throw InvalidArgument(fmt::format("metric fixed_point: the number of features = {} is outside [1, {}]", dim, most));
  }
  if (static_cast<std::size_t>(params.bellman_steps) < 2 * dim) {
    throw InvalidArgument(
        fmt::format("metric {}: bellman_steps = {} is less than twice the {} features, so it would be mostly bias",
                    detail::format(metric), params.bellman_steps, dim));
  }
}

bool needs_truth(const std::vector<Metric>& metrics) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(), [](Metric metric) {
           return metric == Metric::relative || metric == Metric::rmse;
         });
}

}  // namespace bellwether
