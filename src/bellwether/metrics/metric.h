#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/field.h>
#include <bellwether/metrics/value_error.h>

namespace bellwether {

/// What can be recorded of a learner along a run.
///
///   relative           mean |v^ - v| / |v| over the evaluation states; no unit
///   rmse               root mean squared error of the values, in the unit of the reward
///   msbe               mean squared Bellman error, sum_s c(s) (r + P v^ - v^)(s)^2, in its square
///   mspbe              mean squared projected Bellman error: of that, what the features can represent
///   fixed_point        root mean squared distance from the values that TD(lambda) and LSTD(lambda) tend to
///   effective_samples  how many on-policy steps the steps so far are worth (metrics/effective_samples.h)
///
/// The first two need true values (metrics/value_error.h). The three in the middle do not: they are exact for finite
/// chains, and estimated from a long trajectory elsewhere, with c the share of visits and P the target policy's
/// discounted transitions. Which to choose:
///
///     study.metrics = {Metric::rmse, Metric::mspbe};  // the first ranks the settings, all are recorded
///
/// `rmse` says how wrong values are. `mspbe` says how far a learner is from its own goal: it goes to 0 while rmse stays
/// at what the features cannot represent. A small `msbe` can hide errors 1 / (1 - gamma) times as large.
enum class Metric : std::uint8_t { relative, rmse, msbe, mspbe, fixed_point, effective_samples };
constexpr auto names(Metric) {
  return std::array{"relative", "rmse", "msbe", "mspbe", "fixed_point", "effective_samples"};
}

/// "relative error", for tables and axes.
std::string title(Metric metric);

/// The error of values that the metric is, if it is one.
std::optional<ValueError> value_error_of(Metric metric);

/// Metrics are errors, of which the smaller is the better, except for effective samples.
bool larger_is_better(Metric metric);

/// The same for a metric by its name, as files of results have it; a name that is not known is that of an error, and is
/// its own title.
std::string title_of_metric(const std::string& name);
bool larger_is_better(const std::string& name);

/// Whether an error has grown a millionfold from the beginning of a run to its end: such values are of no use, although
/// the learner has not diverged. Never true of metrics that are no errors, or where there was no error at first.
bool has_grown(Metric metric, double first, double last);
bool has_grown(const std::string& metric, double first, double last);

/// How Bellman errors are measured. A learner with lambda > 0 tends to the fixed point of that lambda, and is judged
/// fairly by mspbe and fixed_point only when bellman_lambda is the same. Estimates of mspbe from n steps are too large
/// by about (variance of the TD errors) d / n.
struct BellmanParams {
  double bellman_lambda = 0;           // in [0, 1]
  std::int64_t bellman_steps = 10000;  // n, drawn apart from the steps that are learned from

  static constexpr auto fields() {
    using P = BellmanParams;
    return std::tuple{Field("bellman_lambda", &P::bellman_lambda, unit, "lambda of mspbe and fixed_point"),
                      Field("bellman_steps", &P::bellman_steps, between(1, 1e7),
                            "steps to estimate msbe, mspbe and fixed_point from where a chain is not finite; take "
                            "several times the number of features")};
  }
};

/// Throws InvalidArgument when a metric cannot be measured with this many features: in chains that are not finite,
/// mspbe and fixed_point need at least twice as many steps as features, or they are mostly bias, and fixed_point allows
/// at most 4096 features, as it solves d equations.
void check_metric(Metric metric, const Domain& domain, std::size_t dim, const BellmanParams& params);

/// Whether true values are needed. An empty list needs them too: they decide which metric is used.
bool needs_truth(const std::vector<Metric>& metrics);

}  // namespace bellwether
