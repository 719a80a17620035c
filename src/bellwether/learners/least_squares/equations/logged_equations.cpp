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

LoggedEquations::LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule, double decay)
    : decay_(decay),
      window_(window_of(decay)),
      steps_(dim, capacity, rule, decay == 1 ? RecordedSteps::WhenFull::thin : RecordedSteps::WhenFull::drop_older),
      sums_(dim, decay) {}

/// out = sum_t q_t e_t coefficient(t, d_t.v), by g_t = q_t coefficient + f_{t+1} g_{t+1} and out = sum_t a_t g_t.
template <class Coefficient>
void LoggedEquations::sum_traces(const double* v, Coefficient&& coefficient, double* out) const {
  const TransitionLog& log = steps_.log();
  std::fill_n(out, size(), 0.0);
  double g = 0;
  double f_next = 0;
  double later = 0;  // x_{t+1}.v of the step behind
  double q = 1;
  for (std::size_t t = log.size(); t-- > 0;) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    double next = 0;
    if (log.goes_on(t)) next = later;
    else log.with_next(t, [&](const auto& x) { next = kernels::dot(x, v); });
    log.with_x(t, [&](const auto& x) { later = kernels::dot(x, v); });
    g = q * coefficient(numbers, later - numbers.gn * next) + f_next * g;
    q *= decay_;
    f_next = numbers.f;
    log.with_addition(t, [&](const auto& a) { kernels::axpy(numbers.y * g, a, out); });
  }
}

void LoggedEquations::product(const double* v, double* out) const {
  sum_traces(
      v, [](const TransitionLog::Numbers&, double dv) { return dv; }, out);
}

void LoggedEquations::residual(const double* v, double* out) const {
  sum_traces(
      v, [](const TransitionLog::Numbers& numbers, double dv) { return numbers.target - dv; }, out);
}

/// S^T u = sum_t q_t d_t s_t with s_t = e_t.u. A state that ends one step and begins the next is added once.
void LoggedEquations::transposed_product(const double* u, double* out) const {
  const TransitionLog& log = steps_.log();
  std::fill_n(out, size(), 0.0);
  double s = 0;
  double owed = 0;  // the factor of x_t that the step before left
  double q = std::pow(decay_, static_cast<double>(log.size()));
  for (std::size_t t = 0; t < log.size(); ++t) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    log.with_addition(t, [&](const auto& a) { s = numbers.f * s + numbers.y * kernels::dot(a, u); });
    q /= decay_;
    log.with_x(t, [&](const auto& x) { kernels::axpy(q * s + owed, x, out); });
    owed = -numbers.gn * (q * s);
    if (log.goes_on(t)) continue;
    log.with_next(t, [&](const auto& x) { kernels::axpy(owed, x, out); });
    owed = 0;
  }
}

void LoggedEquations::take_up() {
  // A fifth more than needed, so that steps are moved rarely.
  if (steps() / 6 > window_ / 5) steps_.keep_newest(window_);
  if (thinned_ != steps_.thinned()) {
    thinned_ = steps_.thinned();
    sums_.begin_anew();
  }
  sums_.take_up(steps_.log());
}

}  // namespace bellwether
