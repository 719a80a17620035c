#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/field.h>

namespace bellwether {

/// What can be recorded of a learner along a run.
///
///   relative           mean |v^ - v| / |v| over the evaluation states       metrics/value_error.h
///   rmse               root mean squared error of the values
///   msbe               mean squared Bellman error                           metrics/bellman_error.h
///   mspbe              mean squared projected Bellman error
///   fixed_point        root mean squared distance from the values that TD(lambda) and LSTD(lambda) tend to
///   effective_samples  how many on-policy steps the steps so far are worth  metrics/effective_samples.h
///
/// The three in the middle are exact for finite chains, and estimated from a long trajectory elsewhere.
enum class Metric : std::uint8_t { relative, rmse, msbe, mspbe, fixed_point, effective_samples };
constexpr auto names(Metric) {
  return std::array{"relative", "rmse", "msbe", "mspbe", "fixed_point", "effective_samples"};
}

/// "relative error", for tables and axes.
std::string title(Metric metric);

/// How Bellman errors are measured.
struct BellmanParams {
  double bellman_lambda = 0;
  std::int64_t bellman_steps = 10000;

  static constexpr auto fields() {
    using P = BellmanParams;
    return std::tuple{Field("bellman_lambda", &P::bellman_lambda, unit, "lambda of mspbe and fixed_point"),
                      Field("bellman_steps", &P::bellman_steps, between(1, 1e7),
                            "steps to estimate msbe, mspbe and fixed_point from where a chain is not finite; take "
                            "several times the number of features")};
  }
};

/// Throws InvalidArgument when a metric cannot be measured with this many features. Bellman errors of chains that are
/// not finite need at least twice as many steps as features, or they are mostly bias; the fixed point allows at most
/// 4096 features.
void check_metric(Metric metric, const Domain& domain, std::size_t dim, const BellmanParams& params);

/// Whether true values are needed. An empty list needs them too: they decide which metric is used.
bool needs_truth(const std::vector<Metric>& metrics);

}  // namespace bellwether
