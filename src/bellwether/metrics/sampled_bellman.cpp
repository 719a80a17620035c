#include <bellwether/metrics/sampled_bellman.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/field.h>
#include <bellwether/linalg/simd/values.h>

namespace bellwether {

namespace {

double squared_length(const std::vector<double>& v) { return std::inner_product(v.begin(), v.end(), v.begin(), 0.0); }

/// delta_t of the step t that led to a state of value v_next.
double td_error(const TransitionSample::Steps& steps, std::size_t t, double v, double v_next) {
  return steps.reward[t] + steps.discount[t] * v_next - v;
}

/// X^T y.
void multiply_transposed(const FeatureRows& X, const std::vector<double>& y, std::vector<double>& product) {
  std::fill(product.begin(), product.end(), 0.0);
  for (std::size_t t = 0; t < X.rows; ++t) {
    const double weight = y[t];
    visit(X.row(t), [&](auto x) { x.for_each([&](std::size_t j, double v) { product[j] += weight * v; }); });
  }
}

/// The inverse length of each column of X; 0 for a feature that is never active.
std::vector<double> inverse_lengths(const FeatureRows& X) {
  std::vector<double> squares(X.dim, 0.0);
  for (std::size_t t = 0; t < X.rows; ++t) {
    visit(X.row(t), [&](auto x) { x.for_each([&](std::size_t j, double v) { squares[j] += v * v; }); });
  }
  for (double& s : squares) s = s > 0 ? 1 / std::sqrt(s) : 0;
  return squares;
}

}  // namespace

TransitionSample::TransitionSample(const Domain& domain, const FeatureMap& features, std::size_t steps,
                                   std::uint64_t seed, std::uint64_t run)
    : states_(features.layout(), features.dim()), second_states_(features.layout(), features.dim()) {
  if (steps == 0) throw InvalidArgument("transition sample: steps = 0 is outside [1, inf)");
  Rng rng(seed, run, Purpose::evaluation);
  std::vector<double> state(domain.variables().size());
  std::vector<double> second(state.size());
  std::uint64_t episode = 0;
  // Counted down from the largest number, so that redrawn features differ from those of any training run, but change as
  // often as there.
  const auto moment = [&](std::uint64_t number) { return Moment{~number, ~episode}; };
  const auto take = [&](std::vector<double>& from, Steps& into) {
    const Outcome outcome = domain.step(rng, from);
    into.reward.push_back(outcome.reward);
    into.discount.push_back(outcome.discount);
    into.rho.push_back(outcome.rho);
    if (outcome.discount == 0) domain.start(rng, from);  // any state would do: its value is multiplied by 0
    return outcome.discount == 0;
  };
  domain.start(rng, state);
  features.append(state, states_, moment(0));
  for (std::size_t t = 0; t < steps; ++t) {
    second = state;
    take(second, second_);
    features.append(second, second_states_, moment(steps + 1 + t));
    if (take(state, first_)) ++episode;
    features.append(state, states_, moment(t + 1));
  }
}

KeySystem TransitionSample::system(double lambda) const {
  constexpr std::size_t most = 4096;
  if (dim() > most) {
    throw InvalidArgument(
        fmt::format("transition sample: the fixed point of {} features is outside [1, {}]", dim(), most));
  }
  const auto index = [](std::size_t j) { return static_cast<Eigen::Index>(j); };
  const auto d = index(dim());
  KeySystem system{Eigen::MatrixXd::Zero(d, d), Eigen::VectorXd::Zero(d)};
  Eigen::VectorXd e = Eigen::VectorXd::Zero(d);
  double g = 0;
  for (std::size_t t = 0; t < size(); ++t) {
    const double rho = first_.rho[t];
    e *= rho * g * lambda;
    g = first_.discount[t];
    visit(states().row(t), [&](auto x) { x.for_each([&](std::size_t j, double v) { e[index(j)] += rho * v; }); });
    const auto add = [&](const Features& features, double factor) {
      visit(features, [&](auto x) {
        x.for_each([&](std::size_t j, double v) {
          if (v != 0) system.A.col(index(j)) += (factor * v) * e;
        });
      });
    };
    add(states().row(t), 1);
    if (g > 0) add(states().row(t + 1), -g);
    system.b += first_.reward[t] * e;
  }
  system.A /= static_cast<double>(size());
  system.b /= static_cast<double>(size());
  return system;
}

SampledBellmanError::SampledBellmanError(std::shared_ptr<const TransitionSample> sample)
    : sample_(std::move(sample)), values_(sample_->size() + 1), second_values_(sample_->size()) {}

double SampledBellmanError::operator()(std::span<const double> w) {
  values_of(sample_->states(), w, values_);
  values_of(sample_->second_states(), w, second_values_);
  const auto& first = sample_->first();
  const auto& second = sample_->second();
  double sum = 0;
  for (std::size_t t = 0; t < sample_->size(); ++t) {
    sum += first.rho[t] * td_error(first, t, values_[t], values_[t + 1]) * second.rho[t] *
           td_error(second, t, values_[t], second_values_[t]);
  }
  return sum / static_cast<double>(sample_->size());
}

SampledProjectedBellmanError::SampledProjectedBellmanError(std::shared_ptr<const TransitionSample> sample,
                                                           double lambda)
    : sample_(std::move(sample)),
      lambda_(lambda),
      values_(sample_->size() + 1),
      y_(sample_->size()),
      fit_(sample_->size()),
      scale_(inverse_lengths(sample_->visited())),
      gradient_(sample_->dim()),
      direction_(sample_->dim()),
      step_(sample_->dim()) {}

double SampledProjectedBellmanError::operator()(std::span<const double> w) {
  values_of(sample_->states(), w, values_);
  const auto& first = sample_->first();
  double later = 0;
  for (std::size_t t = sample_->size(); t-- > 0;) {
    later = first.rho[t] * (td_error(first, t, values_[t], values_[t + 1]) + first.discount[t] * lambda_ * later);
    y_[t] = later;
  }
  return fitted_square() / static_cast<double>(sample_->size());
}

double SampledProjectedBellmanError::fitted_square() {
  // Conjugate gradients for min_u || y - X S u ||, S = diag(scale), starting from u = 0 (Hestenes and Stiefel 1952,
  // section 10; "CGLS"). Each iteration takes alpha gamma from || y - fit ||^2, and all it takes is || fit ||^2. A
  // singular X is no problem: every direction is a gradient, so it has no component that X maps to 0.
  constexpr double tolerance = 1e-8;
  constexpr double rounding = 1e-15;
  constexpr int most_iterations = 1000;
  const FeatureRows X = sample_->visited();
  const std::size_t d = X.dim;
  const double square = squared_length(y_);
  iterations_ = 0;
  converged_ = std::isfinite(square);
  if (!converged_) return infinity;

  const auto take_gradient = [&] {
    multiply_transposed(X, y_, gradient_);
    for (std::size_t j = 0; j < d; ++j) gradient_[j] *= scale_[j];
    return squared_length(gradient_);
  };
  double gamma = take_gradient();
  // A gradient this small is rounding: y has no component among the features.
  const double floor = rounding * rounding * square * static_cast<double>(d);
  const double enough = std::max(tolerance * tolerance * gamma, floor);
  direction_ = gradient_;
  double fitted = 0;
  while (gamma > enough && iterations_ < most_iterations) {
    for (std::size_t j = 0; j < d; ++j) step_[j] = scale_[j] * direction_[j];
    values_of(X, step_, fit_);
    const double alpha = gamma / squared_length(fit_);
    for (std::size_t t = 0; t < X.rows; ++t) y_[t] -= alpha * fit_[t];
    fitted += alpha * gamma;
    const double next = take_gradient();
    for (std::size_t j = 0; j < d; ++j) direction_[j] = gradient_[j] + (next / gamma) * direction_[j];
    gamma = next;
    ++iterations_;
  }
  converged_ = gamma <= enough;
  return fitted;
}

Evaluator fixed_point_distance(const TransitionSample& sample, double lambda) {
  const Eigen::VectorXd w = sample.system(lambda).solution();
  std::vector<double> values(sample.size());
  values_of(sample.visited(), {w.data(), sample.dim()}, values);
  return {EvaluationSet(sample.visited(), values), ValueError::rmse};
}

}  // namespace bellwether
