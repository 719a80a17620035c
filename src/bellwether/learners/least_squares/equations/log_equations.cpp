#include <bellwether/learners/least_squares/equations/log_equations.h>

#include <algorithm>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

/// Rough times in seconds: of a product, for an entry that is stored and for a feature (which has its share in the
/// vectors of the solver); and of a block, for its factors and for a multiplication.
constexpr double seconds_an_entry = 1.5e-9;
constexpr double seconds_a_feature = 20e-9;
constexpr double seconds_for_factors = 0.1;
constexpr double seconds_a_multiplication = 0.25e-9;

/// Where the diagonal is enough for fewer iterations than this, a block hardly reduces them; bench/krylov.cpp compares.
constexpr std::size_t most_without_block = 300;

std::size_t products_worth_a_block(const PreparedLog& log) {
  const double product = seconds_an_entry * log.work() + seconds_a_feature * static_cast<double>(log.shared());
  const double multiplications =
      std::min(BlockPreconditioner::work, log.work() * static_cast<double>(BlockPreconditioner::largest_block));
  return static_cast<std::size_t>((seconds_for_factors + seconds_a_multiplication * multiplications) / product) + 1;
}

double norm(std::span<const double> v) { return std::sqrt(kernels::dot(v.data(), v.data(), v.size())); }

}  // namespace

LogEquations::LogEquations(const TransitionLog& log, double ridge, ThreadTeam& team)
    : log_(log), ridge_(ridge), team_(team) {
  team.run(2, [&](std::uint64_t i) {
    if (i == 0) prepare();
    else preconditioner_.emplace(log, log.size(), ridge);
  });
  preconditioner_->renumber(prepared_->numbers(), prepared_->shared());
  without_block_ = std::max(most_without_block, products_worth_a_block(*prepared_));
}

void LogEquations::prepare() {
  for (const auto numbering : {PreparedLog::Numbering::local_last, PreparedLog::Numbering::shared}) {
    prepared_.emplace(log_, numbering, team_);
    elimination_.emplace(*prepared_, ridge_);
    if (elimination_->sound()) return;
  }
}

/// r = b - (S + ridge I) w; returns |r|.
double LogEquations::residual(std::span<const double> b, std::span<const double> w, std::vector<double>& r) const {
  prepared_->product(w.data(), r.data());
  for (std::size_t j = 0; j < r.size(); ++j) r[j] = b[j] - (r[j] + ridge_ * w[j]);
  return norm(r);
}

Idr::Result LogEquations::solve(double tolerance, std::size_t iterations, std::span<double> w) {
  const std::size_t n = prepared_->features();
  const std::size_t shared = prepared_->shared();
  std::vector<double> b(n);
  prepared_->right_side(b.data());
  const double size = norm(b);
  Idr::Result result{.iterations = 0, .residual = 1};
  std::vector<double> solution(n, 0.0);
  std::vector<double> r(b);
  std::vector<double> v(n);
  std::vector<double> rest(n);
  // Where elimination has lost digits, the equations are solved again for what is missing.
  for (bool goes_on = size > 0 && std::isfinite(size); goes_on;) {
    std::fill(v.begin(), v.end(), 0.0);
    elimination_->complete(r.data(), v.data(), rest.data());
    for (std::size_t j = 0; j < shared; ++j) rest[j] = r[j] - rest[j];
    const std::span<double> right(rest.data(), shared);
    const double right_size = norm(right);
    if (right_size > 0) {
      result.iterations += solve_shared(right, std::min(1.0, tolerance * size / right_size),
                                        iterations - result.iterations, std::span(v).first(shared))
                               .iterations;
    }
    elimination_->complete(r.data(), v.data(), rest.data());
    for (std::size_t j = 0; j < n; ++j) v[j] += solution[j];
    const double now = residual(b, v, r) / size;
    if (!(now < result.residual)) break;
    goes_on = now > tolerance && now < 0.5 * result.residual && result.iterations < iterations;
    result.residual = now;
    solution.swap(v);
  }
  if (!(size > 0)) result.residual = 0;
  for (std::size_t j = 0; j < n; ++j) w[j] = solution[prepared_->number(j)];
  return result;
}

/// The equations of the shared features, from v = 0.
Idr::Result LogEquations::solve_shared(std::span<const double> b, double tolerance, std::size_t iterations,
                                       std::span<double> v) {
  const std::size_t n = b.size();
  std::vector<double> all(prepared_->features());
  Idr idr{.multiply =
              [&](const double* u, double* out) {
                std::copy_n(u, n, all.data());
                elimination_->complete(nullptr, all.data(), out);
              },
          .precondition = [&](const double* u, double* out) { preconditioner_->solve(u, out, n, team_); },
          .iterations = has_block_ ? iterations : std::min(iterations, without_block_),
          .tolerance = tolerance,
          .team = &team_};
  std::fill(v.begin(), v.end(), 0.0);
  Idr::Result result = idr.solve(b, v);
  if (has_block_ || result.residual <= tolerance || result.iterations >= iterations) return result;
  preconditioner_->add_block(log_);
  has_block_ = true;
  idr.iterations = iterations - result.iterations;
  const Idr::Result more = idr.solve(b, v);
  return {result.iterations + more.iterations, more.residual};
}

}  // namespace bellwether
