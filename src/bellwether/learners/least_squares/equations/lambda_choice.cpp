#include <bellwether/learners/least_squares/equations/lambda_choice.h>

#include <algorithm>
#include <cmath>

#include <bellwether/core/learner_checks.h>
#include <bellwether/linalg/dense/small_dense.h>
#include <bellwether/linalg/krylov/equation_weights.h>
#include <bellwether/linalg/simd/gemm.h>

namespace bellwether {
namespace {

/// The variance of errors that follow one another is a difference of sums; at least this share of that of one is taken.
constexpr double least_share_of_noise = 0.02;

/// Added to the diagonal, as a share of its mean, so that rounding leaves the matrix positive.
constexpr double rounding = 1e-12;

}  // namespace

LambdaChoice::LambdaChoice(std::size_t dim, TraceRule rule)
    : shorter_(dim, rule),
      errors_(dim),
      longer_probes_(dim * probes, 0.0),
      shorter_probes_(dim * probes, 0.0),
      gram_(dim * dim),
      factor_(dim * dim),
      rhs_(dim * (1 + probes)),
      c_(dim),
      judging_(dim),
      solutions_(dim * candidates.size()),
      u_(dim),
      out_(dim) {}

bool LambdaChoice::is_due(std::uint64_t steps) const {
  return steps >= last_ + std::max<std::uint64_t>(last_ / 4, c_.size());
}

void LambdaChoice::form_normal_equations(const SummedEquations& equations, const std::vector<double>& probe_sums) {
  const std::size_t n = c_.size();
  weigh_equations(equations.noise(), n, c_.data());
  for (double& each : c_) each = std::sqrt(each);
  for (std::size_t j = 0; j < n; ++j) {
    const double* column = equations.column(j);
    for (std::size_t i = 0; i < n; ++i) factor_[j * n + i] = c_[i] * column[i];
  }
  kernels::set_gram(n, n, 1.0, {factor_.data(), n}, gram_.data(), n);
  for (std::size_t k = 0; k <= probes; ++k) {
    if (k == 0) {
      std::fill(out_.begin(), out_.end(), 0.0);
      equations.residual(out_.data(), u_.data());  // b
    } else {
      for (std::size_t i = 0; i < n; ++i) u_[i] = probe_sums[i * probes + k - 1];
    }
    for (std::size_t i = 0; i < n; ++i) u_[i] *= c_[i];
    for (std::size_t j = 0; j < n; ++j) rhs_[k * n + j] = kernels::dot(factor_.data() + j * n, u_.data(), n);
  }
}

/// v = R^-1 R^-T rhs
void LambdaChoice::solve(const double* rhs, double* v) {
  const std::size_t n = c_.size();
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) kernels::axpy(rhs[i], factor_.data() + i * n + i, u_.data() + i, n - i);
  for (std::size_t i = 0; i < n; ++i) v[i] = kernels::dot(factor_.data() + i * n + i, u_.data() + i, n - i);
}

/// The solution of the equations whose normal equations were formed, and how it does in those of longer traces.
LambdaChoice::Fit LambdaChoice::fit(const SummedEquations& longer, double kappa, double* v) {
  const std::size_t n = c_.size();
  double diagonal = 0;
  for (std::size_t j = 0; j < n; ++j) diagonal += gram_[j * n + j];
  std::copy(gram_.begin(), gram_.end(), factor_.begin());
  for (std::size_t j = 0; j < n; ++j) factor_[j * n + j] += kappa + rounding * diagonal / static_cast<double>(n);
  if (!(inverse_cholesky(n, factor_.data(), n, 0) > 0)) return {};
  Fit fit;
  for (std::size_t k = 1; k <= probes; ++k) {
    solve(rhs_.data() + k * n, v);
    longer.product(v, out_.data());
    for (std::size_t i = 0; i < n; ++i) fit.fitted += judging_[i] * longer_probes_[i * probes + k - 1] * out_[i];
  }
  fit.fitted /= probes;
  solve(rhs_.data(), v);
  longer.residual(v, out_.data());
  for (std::size_t i = 0; i < n; ++i) fit.misfit += judging_[i] * out_[i] * out_[i];
  // A square may be beyond the limit of what it is the square of.
  fit.found = std::isfinite(fit.misfit) && bounded(fit.fitted) &&
              std::all_of(v, v + n, [](double each) { return bounded(each); });
  return fit;
}

void LambdaChoice::choose(std::uint64_t steps, bool off_policy, const SummedEquations& longer, const ValueScale& scale,
                          double* v) {
  last_ = steps;
  const std::size_t n = c_.size();
  weigh_equations(longer.noise(), n, judging_.data());
  std::array<Fit, candidates.size()> fits;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (k == 0) form_normal_equations(shorter_, shorter_probes_);
    if (k == first_longer) form_normal_equations(longer, longer_probes_);
    if (!off_policy && !candidates[k].on_policy) continue;
    fits[k] = fit(longer, scale.damping(candidates[k].share), solutions_.data() + k * n);
  }
  const std::uint64_t reference = off_policy ? usual_off_policy : usual;
  if (!fits[reference].found) return;
  const double* const v_usual = solutions_.data() + reference * n;
  const double square = errors_.mean_square(v_usual);
  const double related = off_policy ? 0 : errors_.mean_traced(v_usual) - square;
  if (!(square > 0) || !std::isfinite(square) || !std::isfinite(related)) return;
  const auto score = [&](std::size_t k) {
    const double noise = square + (candidates[k].longer ? 2 : 1) * related;
    return fits[k].misfit + 2 * std::max(noise, least_share_of_noise * square) * fits[k].fitted;
  };
  best_ = reference;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (fits[k].found && score(k) < score(best_)) best_ = k;
  }
  std::copy_n(solutions_.data() + best_ * n, n, v);
}

}  // namespace bellwether
