#include <bellwether/learners/least_squares/lstd_krylov.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/support/thread_limit.h>
#include <bellwether/learners/least_squares/equations/damped_log.h>
#include <bellwether/learners/least_squares/equations/log_equations.h>
#include <bellwether/linalg/krylov/damped_least_squares.h>

namespace bellwether {
namespace {

/// How many of n steps the preconditioner is made from: the last multiple of an eighth of the largest power of two up
/// to n. It depends on n alone, so that earlier questions do not change the answers.
std::size_t steps_for_preconditioner(std::size_t n) {
  const std::size_t unit = std::max<std::size_t>(1, std::bit_floor(n) / 8);
  return n / unit * unit;
}

/// Where the preconditioner is nearly the inverse, one or two more iterations reduce the residual to rounding.
constexpr double smallest_residual = 1e-15;

/// With less than this for each, in numbers of 8 bytes, threads would wait for each other more than they would help.
constexpr std::size_t numbers_a_thread = std::size_t{1} << 17U;

unsigned threads_for(const TransitionLog& log) {
  return static_cast<unsigned>(std::min<std::size_t>(allowed_threads(), 1 + log.numbers() / numbers_a_thread));
}

}  // namespace

LSTDKrylovRule::LSTDKrylovRule(std::size_t dim, const Params& params)
    : params_(params), steps_(dim, static_cast<std::size_t>(params.capacity), params.trace), w0_(dim, 0.0) {}

template <class X>
bool LSTDKrylovRule::update(const Transition<X>& s) {
  return steps_.record(s, s.r - (kernels::dot(s.x, w0_.data()) - s.gn * kernels::dot(s.xn, w0_.data())));
}

template bool LSTDKrylovRule::update(const Transition<DenseView>& s);
template bool LSTDKrylovRule::update(const Transition<SparseView>& s);
template bool LSTDKrylovRule::update(const Transition<BinaryView>& s);

void LSTDKrylovRule::read(std::span<double> w) const {
  const std::vector<double>& solved = solution().w;
  std::copy(solved.begin(), solved.end(), w.begin());
}

void LSTDKrylovRule::assign(std::span<const double> w) {
  w0_.assign(w.begin(), w.end());
  solution_.reset();
}

void LSTDKrylovRule::merge(const LSTDKrylovRule& other) {
  check_same_start(name, w0_, other.w0_);
  steps_.append(other.steps_);
}

Settings LSTDKrylovRule::findings() const {
  const Idr::Result& result = solution().result;
  Settings found{{"transitions", std::to_string(log().size())},
                 {"features_seen", std::to_string(log().features())},
                 {"numbers_stored", std::to_string(log().numbers())},
                 {"iterations", std::to_string(result.iterations)},
                 {"residual", fmt::format("{:.4g}", result.residual)}};
  if (steps_.left_out() > 0) found.emplace_back("transitions_left_out", std::to_string(steps_.left_out()));
  return found;
}

const LSTDKrylovRule::Solution& LSTDKrylovRule::solution() const {
  if (!solution_ || solution_->steps != log().size()) {
    std::vector<double> w(w0_);
    const Idr::Result result = solve(w);
    solution_ = Solution{log().size(), std::move(w), result};
  }
  return *solution_;
}

const BlockPreconditioner& LSTDKrylovRule::preconditioner() const {
  const std::size_t steps = steps_for_preconditioner(log().size());
  if (!preconditioner_ || preconditioner_->steps != steps) {
    preconditioner_.reset();  // never two of them in memory
    auto M = std::make_shared<BlockPreconditioner>(log(), steps, 1 / params_.inverse_init);
    M->add_block(log());
    preconditioner_ = Preconditioner{steps, std::move(M)};
  }
  return *preconditioner_->M;
}

/// w += (S + I/p0)^-1 sum_t (r_t - d_t.w0) e_t, of the features seen, or what damping makes of it
Idr::Result LSTDKrylovRule::solve(std::span<double> w) const {
  const std::size_t n = log().features();
  if (n == 0) return {};
  ThreadTeam team(threads_for(log()));
  std::vector<double> correction(n, 0.0);
  const auto iterations = static_cast<std::size_t>(params_.iterations);
  const Idr::Result result =
      params_.damping > 0 ? solve_damped(correction, team)
      : n <= BlockPreconditioner::largest_block
          ? solve_with_all_in_the_block(correction, team)
          : LogEquations(log(), 1 / params_.inverse_init, team).solve(params_.tolerance, iterations, correction);
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = w[log().feature(i)] + correction[i];
    if (std::isfinite(weight)) w[log().feature(i)] = weight;
  }
  return result;
}

Idr::Result LSTDKrylovRule::solve_damped(std::span<double> correction, ThreadTeam& team) const {
  const DampedLog equations(log(), team);
  DampedLeastSquares solver(equations.size());
  const std::size_t iterations =
      solver.improve(equations, params_.damping * equations.mean_square(), static_cast<std::size_t>(params_.iterations),
                     correction.data(), params_.tolerance);
  return {.iterations = iterations, .residual = solver.gradient_left()};
}

Idr::Result LSTDKrylovRule::solve_with_all_in_the_block(std::span<double> correction, ThreadTeam& team) const {
  const std::size_t n = log().features();
  const PreparedLog prepared(log(), PreparedLog::Numbering::kept, team);
  std::vector<double> b(n);
  prepared.right_side(b.data());
  const BlockPreconditioner& M = preconditioner();
  const double ridge = 1 / params_.inverse_init;
  const Idr idr{.multiply =
                    [&](const double* v, double* out) {
                      prepared.product(v, out);
                      kernels::axpy(ridge, v, out, n);
                    },
                .precondition = [&](const double* v, double* out) { M.solve(v, out, n); },
                .iterations = static_cast<std::size_t>(params_.iterations),
                .tolerance = M.complete() ? std::min(params_.tolerance, smallest_residual) : params_.tolerance};
  return idr.solve(b, correction);
}

}  // namespace bellwether
