// What a model says about values, and why it says nothing where the data cannot tell.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <bellwether/core/support/statistics.h>
#include <bellwether/core/support/text.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/values.h>
#include <bellwether/model/model.h>

namespace bellwether {
namespace {

/// Half the width of the 95 % interval around a value, from what the halves of the episodes found instead:
///
///   t sqrt(sum_h (v_h - v)^2 / H),   1 / (degrees of freedom of t) = 1/H + 1/(n-1)
///
/// The deviations are from the value, not from the mean of the halves: a half errs by twice the bias that few episodes
/// and a ridge cause, so halves that all lie on one side of the value show how large that bias is. Both H halves and n
/// episodes are few, and each adds its share to the relative variance 2/H + 2/(n-1) of the square.
double interval_95(double value, std::span<const double> halves, std::uint64_t episodes) {
  double squares = 0;
  for (const double half : halves) squares += (half - value) * (half - value);
  const auto count = static_cast<double>(halves.size());
  const double degrees = 1 / (1 / count + 1 / static_cast<double>(std::max<std::uint64_t>(episodes, 2) - 1));
  return student_t_95(std::max<std::size_t>(1, static_cast<std::size_t>(degrees))) * std::sqrt(squares / count);
}

/// No interval has to reach beyond both ends of what is possible.
double capped(double half_width, double value, const ValueRange& possible) {
  return std::min(half_width, std::max({0.0, value - possible.low, possible.high - value}));
}

/// The ends of the interval around a value v. Where rewards have one sign, v is a sum like a count, whose standard
/// error grows as its square root: few rewards seen are more likely to be too few than too many. The ends are then
/// those values that would have v at the end of their own interval (Rao's score interval),
///
///   v (sqrt(1 + q^2) -+ q)^2,   q = half_width / 2|v|,   which is v -+ half_width for a small q.
ValueRange ends_of(double value, double half_width, const ValueRange& possible) {
  ValueRange ends{value - half_width, value + half_width};
  if (value != 0 && (possible.low == 0 || possible.high == 0)) {
    const double q = half_width / (2 * std::abs(value)), root = std::sqrt(1 + q * q);
    const double near = value * (root - q) * (root - q), far = value * (root + q) * (root + q);
    ends = value > 0 ? ValueRange{near, far} : ValueRange{far, near};
  }
  return {possible.clamped(ends.low), possible.clamped(ends.high)};
}

}  // namespace

std::string Model::why_no_values(std::size_t target) const {
  const Learner& all = learner(target);
  if (episodes_.steps() == 0) return "nothing was learned from";
  if (const auto at = all.diverged_at()) {
    return fmt::format("the learner diverged at step {} (take a smaller step size or another learner)", grouped(*at));
  }
  const bool counts_on_ends = recipe_.ends_only || (!recipe_.columns.state.empty() && recipe_.columns.discount.empty());
  if (recipe_.targets[target].discount == 1 && counts_on_ends && episodes_.ended() == 0) {
    return "no episode ends in this log, and without a discount the sum of its rewards has no limit (`discount=0.99`, "
           "say, or the column that says where episodes end)";
  }
  if (all.steps() == 0) return "every episode was held out (take a smaller `holdout`)";
  if (statistics_.largest_ratio() == 0) {
    return "every importance ratio is 0: the target policy takes none of the actions in the log (check the columns of "
           "the ratios, or take the log of a policy that does)";
  }
  return {};
}

bool Model::halves_diverged(std::size_t target) const {
  const auto diverged = [](const auto& learner) { return learner->diverged_at().has_value(); };
  return std::any_of(learners_[target].begin() + 1, learners_[target].end(), diverged);
}

void Model::predict(std::size_t target, const FeatureRows& rows, std::span<double> values) const {
  learners_[target][0]->predict(rows, values);
}

void Model::half_widths(std::size_t target, const FeatureRows& rows, std::span<double> widths) const {
  if (recipe_.resamples < 2) {
    throw InvalidArgument("the model has no resamples, which intervals come from: learn it with `resamples=20`");
  }
  if (halves_diverged(target)) {
    std::fill(widths.begin(), widths.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  std::vector<std::vector<double>> values(recipe_.resamples, std::vector<double>(rows.rows));
  for (std::size_t h = 0; h < recipe_.resamples; ++h) {
    values_of(rows, learners_[target][h + 1]->weights(), values[h]);
  }
  std::vector<double> sample(recipe_.resamples);
  std::vector<double> found(rows.rows);
  predict(target, rows, found);
  const double usual = usual_weight(target);
  const ValueRange possible = possible_values(target);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t h = 0; h < recipe_.resamples; ++h) sample[h] = values[h][i];
    double unknown = 0;
    visit(rows.row(i), [&](const auto& x) {
      x.for_each([&](std::size_t j, double value) { unknown += statistics_.visits(j) > 0 ? 0 : std::abs(value); });
    });
    const double width = std::hypot(interval_95(found[i], sample, episodes_.units()), 2 * usual * unknown);
    widths[i] = capped(width, found[i], possible);
  }
}

ValueRange Model::possible_values(std::size_t target) const {
  const std::size_t reward = recipe_.reward_of(target);
  const double gamma = recipe_.targets[target].discount;
  // A sum of rewards of one sign has it too, however it is discounted and whenever it ends.
  const double lowest = std::min(0.0, statistics_.smallest_reward(reward));
  const double highest = std::max(0.0, statistics_.largest_reward(reward));
  const auto for_ever = [&](double r) { return r == 0 ? 0.0 : gamma < 1 ? r / (1 - gamma) : r * infinity; };
  return {for_ever(lowest), for_ever(highest)};
}

/// The root mean square of the weights, each counted as often as its feature was met. A weight that nothing is known of
/// is taken to be of this size, and those of one state to err in the same direction, as values of neighbours do.
double Model::usual_weight(std::size_t target) const {
  const std::vector<double> w = learner(target).weights();
  double squares = 0, count = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    squares += statistics_.visits(j) * w[j] * w[j];
    count += statistics_.visits(j);
  }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

void Model::visits(const FeatureRows& rows, std::span<double> counts) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double fewest = infinity;
    visit(rows.row(i), [&](const auto& x) {
      x.for_each([&](std::size_t j, double value) {
        if (value != 0) fewest = std::min(fewest, statistics_.visits(j) / (value * value));
      });
    });
    counts[i] = fewest < infinity ? fewest : 0;
  }
}

bool Model::starts_known() const {
  // Where more than one step in twenty does not continue the one before, and nothing says why, what comes after an end
  // need not be a start either. Where nothing but a jump tells episodes apart, they may be short.
  const LogColumns& columns = recipe_.columns;
  const bool only_jumps = !columns.next.empty() && !columns.tells_ends() && columns.episode.empty();
  const std::uint64_t cut = episodes_.begun() - episodes_.ended();
  return 20 * episodes_.jumps() <= episodes_.steps() && !(only_jumps && 4 * cut > episodes_.steps());
}

/// A single start of a stream that never ends says little; the value is then the mean over all states.
bool Model::asks_for_starts() const {
  return starts_known() && (episodes_.begun() - episodes_.jumps() > 1 || episodes_.ended() > 0);
}

/// `x` are the policy_features of all episodes, and `value` theirs.
std::string Model::why_no_policy_value(std::size_t target, const std::vector<double>& x, double value) const {
  if (std::string why = why_no_values(target); !why.empty()) return why;
  const double worth = statistics_.effective_samples();
  if (constexpr double fewest = 2; worth < fewest) {
    return fmt::format(
        "the importance ratios leave {:.0f} of {} steps: the target policy hardly takes the actions in the log (check "
        "the columns of the ratios, or take the log of a policy that does)",
        worth, grouped(episodes_.steps()));
  }
  bool counts = false;
  for (std::size_t j = 0; j < x.size(); ++j) counts = counts || (x[j] != 0 && statistics_.visits(j) > 0);
  if (!counts) {
    return "no step from a start state counts: there the target policy takes none of the actions in the log (take the "
           "log of a policy that does; values of other states are in the model)";
  }
  return why_beyond_rewards(target, value);
}

std::string Model::why_beyond_rewards(std::size_t target, double value) const {
  const std::size_t reward = recipe_.reward_of(target);
  const double largest = std::max(-statistics_.smallest_reward(reward), statistics_.largest_reward(reward));
  const double gamma = recipe_.targets[target].discount;
  auto horizon = static_cast<double>(episodes_.steps());
  if (gamma < 1) horizon = std::min(horizon, 1 / (1 - gamma));
  if (constexpr double far = 10; std::abs(value) <= far * largest * horizon) return {};
  return fmt::format("the learner found a value beyond what rewards allow, {:.2g} (take {})", value,
                     gamma < 1 ? "a smaller step size or another learner"
                               : "a discount below 1, a smaller step size or another learner");
}

std::string Model::why_not_predicted(std::size_t target) const {
  if (std::string why = why_no_values(target); !why.empty()) return why;
  const std::vector<double> x = policy_features(0);
  return why_beyond_rewards(target, kernels::dot(x.data(), learners_[target][0]->weights().data(), x.size()));
}

/// The features whose value is the policy's, of all episodes or of a half.
std::vector<double> Model::policy_features(std::size_t half) const {
  return asks_for_starts() ? statistics_.mean_start(half) : statistics_.mean_state();
}

/// On-policy, returns show what features cannot represent. Off-policy, products of ratios make them too noisy, and with
/// a feature for each state nothing is lost.
bool Model::values_by_returns(std::size_t target) const { return !returns_[target].weighted() && !recipe_.tabular(); }

PolicyValue Model::policy_value(std::size_t target) const {
  PolicyValue result;
  result.starts_known = starts_known();
  result.of_starts = asks_for_starts();
  const auto value_of = [&](std::size_t h, const std::vector<double>& x) {
    return kernels::dot(x.data(), learners_[target][h]->weights().data(), x.size());
  };
  const std::vector<double> x = policy_features(0);
  result.learned = value_of(0, x);
  result.why_none = why_no_policy_value(target, x, result.learned);
  if (!result.why_none.empty()) return result;
  const bool by_returns = result.of_starts && values_by_returns(target);
  const EpisodeReturns& outcomes = outcomes_[target];
  const double value = by_returns ? outcomes.mean(0, learners_[target][0]->weights()) : result.learned;
  const ValueRange possible = possible_values(target);
  result.value = possible.clamped(value);
  result.beyond = std::abs(result.learned - possible.clamped(result.learned)) > 0.05 * (possible.high - possible.low);
  if (halves_diverged(target)) return result;
  std::vector<double> sample;
  for (std::size_t h = 1; h <= recipe_.resamples; ++h) {
    if (result.of_starts && statistics_.starts(h) == 0) continue;
    sample.push_back(by_returns ? outcomes.mean(h, learners_[target][h]->weights()) : value_of(h, policy_features(h)));
  }
  if (sample.size() < 2 || episodes_.units() < 2) return result;
  double unknown = 0;
  for (std::size_t j = 0; j < x.size(); ++j) unknown += statistics_.visits(j) > 0 ? 0 : std::abs(x[j]);
  const double width =
      std::hypot(interval_95(value, sample, episodes_.units()), unknown > 0 ? 2 * usual_weight(target) * unknown : 0);
  result.half_width = capped(width, *result.value, possible);
  const ValueRange ends = ends_of(*result.value, width, possible);
  result.low = ends.low;
  result.high = ends.high;
  return result;
}

}  // namespace bellwether
