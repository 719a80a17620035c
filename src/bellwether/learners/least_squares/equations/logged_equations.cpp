#include <bellwether/learners/least_squares/equations/logged_equations.h>

#include <algorithm>
#include <cmath>

namespace bellwether {
namespace {

/// An entry of the trace that would add less than this share to N is forgotten there.
constexpr double negligible = 1e-20;

}  // namespace

LoggedEquations::LoggedEquations(std::size_t dim, std::size_t capacity, TraceRule rule)
    : steps_(dim, capacity, rule, RecordedSteps::WhenFull::thin),
      e_(dim),
      noise_(dim),
      diagonal_(dim),
      squares_(dim),
      since_(dim),
      live_(dim),
      is_live_(dim) {}

/// out = sum_t e_t coefficient(t, d_t.v), by g_t = coefficient + f_{t+1} g_{t+1} and out = sum_t a_t g_t.
template <class Coefficient>
void LoggedEquations::sum_traces(const double* v, Coefficient&& coefficient, double* out) const {
  const TransitionLog& log = steps_.log();
  std::fill_n(out, size(), 0.0);
  double g = 0;
  double f_next = 0;
  double later = 0;  // x_{t+1}.v of the step behind
  for (std::size_t t = log.size(); t-- > 0;) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    double next = 0;
    if (log.goes_on(t)) next = later;
    else log.with_next(t, [&](const auto& x) { next = kernels::dot(x, v); });
    log.with_x(t, [&](const auto& x) { later = kernels::dot(x, v); });
    g = coefficient(numbers, later - numbers.gn * next) + f_next * g;
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

/// S^T u = sum_t d_t s_t with s_t = e_t.u. A state that ends one step and begins the next is added once.
void LoggedEquations::transposed_product(const double* u, double* out) const {
  const TransitionLog& log = steps_.log();
  std::fill_n(out, size(), 0.0);
  double s = 0;
  double owed = 0;  // the factor of x_t that the step before left
  for (std::size_t t = 0; t < log.size(); ++t) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    log.with_addition(t, [&](const auto& a) { s = numbers.f * s + numbers.y * kernels::dot(a, u); });
    log.with_x(t, [&](const auto& x) { kernels::axpy(s + owed, x, out); });
    owed = -numbers.gn * s;
    if (log.goes_on(t)) continue;
    log.with_next(t, [&](const auto& x) { kernels::axpy(owed, x, out); });
    owed = 0;
  }
}

void LoggedEquations::curvature(const double* c, double* out) const {
  const double share = static_cast<double>(size()) / static_cast<double>(std::max<std::uint64_t>(1, taken_));
  for (std::size_t j = 0; j < size(); ++j) out[j] = diagonal_[j] * diagonal_[j] * c[j] + share * squares_[j];
}

/// N_j takes up what it lacks.
void LoggedEquations::settle(std::size_t j) {
  noise_[j] += e_[j] * e_[j] * (sum_ - since_[j]);
  since_[j] = sum_;
}

/// All of N does, and e_ takes up its factor.
void LoggedEquations::settle() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < live_.size(); ++k) {
    const std::uint32_t j = live_[k];
    settle(j);
    since_[j] = 0;
    const double e = scale_ * e_[j];
    const bool stays = e * e > negligible * noise_[j];
    e_[j] = stays ? e : 0;
    is_live_[j] = stays ? 1 : 0;
    if (stays) live_[kept++] = j;
  }
  live_.resize(kept);
  scale_ = 1;
  sum_ = 0;
}

void LoggedEquations::move_trace(std::size_t t) {
  const TransitionLog::Numbers& numbers = steps_.log().numbers_of(t);
  scale_ *= numbers.f;
  const double size = std::abs(scale_);
  if (size < 1e-3 || size > 1e3) settle();
  steps_.log().with_addition(t, [&](const auto& a) {
    a.for_each([&](std::size_t j, double value) {
      settle(j);
      e_[j] += numbers.y * value / scale_;
      if (is_live_[j] == 0) live_.push_back(static_cast<std::uint32_t>(j));
      is_live_[j] = 1;
    });
  });
  sum_ += scale_ * scale_;
}

void LoggedEquations::take_up() {
  if (thinned_ != steps_.thinned()) begin_anew();
  for (CappedVector<double>* v : {&e_, &noise_, &diagonal_, &squares_, &since_}) v->resize(size());
  is_live_.resize(size());
  const TransitionLog& log = steps_.log();
  for (; taken_ < log.size(); ++taken_) {
    move_trace(taken_);
    const auto add = [&](double factor) {
      return [this, factor](const auto& x) {
        x.for_each([&](std::size_t j, double value) {
          diagonal_[j] += factor * value * scale_ * e_[j];
          squares_[j] += factor * factor * value * value;
        });
        entries_ += factor == 1 ? static_cast<double>(x.size) : 0;
      };
    };
    log.with_x(taken_, add(1));
    log.with_next(taken_, add(-log.numbers_of(taken_).gn));
  }
  settle();
}

/// All steps are to be taken up again, since some of them are gone.
void LoggedEquations::begin_anew() {
  thinned_ = steps_.thinned();
  taken_ = 0;
  entries_ = 0;
  for (CappedVector<double>* v : {&e_, &noise_, &diagonal_, &squares_}) v->clear();
  restore();
}

void LoggedEquations::restore() {
  since_.clear();
  since_.resize(e_.size());
  live_.clear();
  is_live_.clear();
  is_live_.resize(e_.size());
  for (std::size_t j = 0; j < e_.size(); ++j) {
    if (e_[j] == 0) continue;
    is_live_[j] = 1;
    live_.push_back(static_cast<std::uint32_t>(j));
  }
  scale_ = 1;
  sum_ = 0;
}

}  // namespace bellwether
