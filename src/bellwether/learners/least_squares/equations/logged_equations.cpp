#include <bellwether/learners/least_squares/equations/logged_equations.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bellwether {
namespace {

/// After so many steps of decay a step counts less than a thousandth.
std::size_t window_of(double decay) {
  if (decay == 1) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::ceil(std::log(1e-3) / std::log(decay)));
}

}  // namespace

LoggedEquations::LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule, double decay, bool in_parts)
    : decay_(decay),
      in_parts_(in_parts),
      window_(window_of(decay)),
      steps_(dim, capacity, rule, decay == 1 ? RecordedSteps::WhenFull::thin : RecordedSteps::WhenFull::drop_older),
      sums_(dim, decay) {}

/// out = sum_t q_t e_t coefficient(t, d_t.v), by g_t = q_t coefficient + f_{t+1} g_{t+1} and out = sum_t a_t g_t.
template <class Coefficient>
bool LoggedEquations::sum_traces(const double* v, Coefficient&& coefficient, double* out, Pass& pass,
                                 std::size_t& rows) const {
  const TransitionLog& log = steps_.log();
  if (pass.done == 0) std::fill_n(out, size(), 0.0);
  double g = pass.sum;
  double f_next = pass.factor;
  double later = pass.value;  // x_{t+1}.v of the step behind
  double q = pass.weight;
  const std::size_t end = taken_ - pass.done;
  const std::size_t first = end - std::min(end, rows);
  for (std::size_t t = end; t-- > first;) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    double next = 0;
    if (t + 1 < taken_ && log.goes_on(t)) next = later;
    else log.with_next(t, [&](const auto& x) { next = kernels::dot(x, v); });
    log.with_x(t, [&](const auto& x) { later = kernels::dot(x, v); });
    g = q * coefficient(numbers, later - numbers.gn * next) + f_next * g;
    q *= decay_;
    f_next = numbers.f;
    log.with_addition(t, [&](const auto& a) { kernels::axpy(numbers.y * g, a, out); });
  }
  rows -= end - first;
  pass = first == 0 ? Pass{} : Pass{taken_ - first, g, f_next, later, q};
  return first == 0;
}

bool LoggedEquations::product(const double* v, double* out, Pass& pass, std::size_t& rows) const {
  return sum_traces(
      v, [](const TransitionLog::Numbers&, double dv) { return dv; }, out, pass, rows);
}

bool LoggedEquations::residual(const double* v, double* out, Pass& pass, std::size_t& rows) const {
  return sum_traces(
      v, [](const TransitionLog::Numbers& numbers, double dv) { return numbers.target - dv; }, out, pass, rows);
}

/// S^T u = sum_t q_t d_t s_t with s_t = e_t.u. A state that ends one step and begins the next is added once.
bool LoggedEquations::transposed_product(const double* u, double* out, Pass& pass, std::size_t& rows) const {
  const TransitionLog& log = steps_.log();
  if (pass.done == 0) {
    std::fill_n(out, size(), 0.0);
    pass.weight = std::pow(decay_, static_cast<double>(taken_));
  }
  double s = pass.sum;
  double owed = pass.value;  // the factor of x_t that the step before left
  double q = pass.weight;
  const std::size_t end = pass.done + std::min<std::size_t>(taken_ - pass.done, rows);
  for (std::size_t t = pass.done; t < end; ++t) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    log.with_addition(t, [&](const auto& a) { s = numbers.f * s + numbers.y * kernels::dot(a, u); });
    q /= decay_;
    log.with_x(t, [&](const auto& x) { kernels::axpy(q * s + owed, x, out); });
    owed = -numbers.gn * (q * s);
    if (t + 1 < taken_ && log.goes_on(t)) continue;
    log.with_next(t, [&](const auto& x) { kernels::axpy(owed, x, out); });
    owed = 0;
  }
  rows -= end - pass.done;
  pass = end == taken_ ? Pass{} : Pass{end, s, 0, owed, q};
  return end == taken_;
}

void LoggedEquations::product(const double* v, double* out) const {
  Pass pass;
  std::size_t rows = taken_;
  product(v, out, pass, rows);
}

void LoggedEquations::residual(const double* v, double* out) const {
  Pass pass;
  std::size_t rows = taken_;
  residual(v, out, pass, rows);
}

void LoggedEquations::transposed_product(const double* u, double* out) const {
  Pass pass;
  std::size_t rows = taken_;
  transposed_product(u, out, pass, rows);
}

void LoggedEquations::take_up() {
  // A fifth more than needed, so that steps are moved rarely.
  if (steps() / 6 > window_ / 5) steps_.keep_newest(window_);
  if (outdated()) {
    thinned_ = steps_.thinned();
    sums_.begin_anew();
  }
  sums_.take_up(steps_.log());
  taken_ = steps_.log().size();
  features_ = steps_.log().features();
}

}  // namespace bellwether
