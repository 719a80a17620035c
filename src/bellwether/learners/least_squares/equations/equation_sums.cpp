#include <bellwether/learners/least_squares/equations/equation_sums.h>

#include <algorithm>
#include <cmath>

namespace bellwether {
namespace {

/// An entry of the trace that would add less than this share to N is forgotten there.
constexpr double negligible = 1e-20;

}  // namespace

void EquationSums::curvature(const double* c, double* out) const {
  const auto n = static_cast<double>(std::max<std::uint64_t>(1, taken_));
  const double square = decay_ * decay_;
  const double share =
      static_cast<double>(noise_.size()) / (decay_ == 1 ? n : (1 - std::pow(square, n)) / (1 - square));
  for (std::size_t j = 0; j < noise_.size(); ++j) out[j] = diagonal_[j] * diagonal_[j] * c[j] + share * squares_[j];
}

/// N_j takes up what it lacks.
void EquationSums::settle(std::size_t j) {
  noise_[j] += e_[j] * e_[j] * (sum_ - since_[j]);
  since_[j] = sum_;
}

/// All of N does, and e_ takes up its factor.
void EquationSums::settle() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < live_.size(); ++k) {
    const std::uint32_t j = live_[k];
    settle(j);
    since_[j] = 0;
    const double e = scale_ * e_[j];
    const bool stays = newest_ * newest_ * e * e > negligible * noise_[j];
    e_[j] = stays ? e : 0;
    is_live_[j] = stays ? 1 : 0;
    if (stays) live_[kept++] = j;
  }
  live_.resize(kept);
  scale_ = 1;
  sum_ = 0;
}

void EquationSums::move_trace(const TransitionLog& log, std::size_t t) {
  const TransitionLog::Numbers& numbers = log.numbers_of(t);
  scale_ *= numbers.f;
  const double size = std::abs(scale_);
  if (size < 1e-3 || size > 1e3) settle();
  log.with_addition(t, [&](const auto& a) {
    a.for_each([&](std::size_t j, double value) {
      settle(j);
      e_[j] += numbers.y * value / scale_;
      if (is_live_[j] == 0) live_.push_back(static_cast<std::uint32_t>(j));
      is_live_[j] = 1;
    });
  });
  sum_ += scale_ * scale_ * newest_ * newest_;
}

/// The newest step counts 1 from now on.
void EquationSums::change_unit() {
  if (newest_ == 1) return;
  for (std::size_t j = 0; j < noise_.size(); ++j) {
    noise_[j] /= newest_ * newest_;
    diagonal_[j] /= newest_;
    squares_[j] /= newest_ * newest_;
  }
  newest_ = 1;
}

void EquationSums::take_up(const TransitionLog& log) {
  for (CappedVector<double>* v : {&e_, &noise_, &diagonal_, &squares_, &since_}) v->resize(log.features());
  is_live_.resize(log.features());
  for (; taken_ < log.size(); ++taken_) {
    newest_ /= decay_;
    move_trace(log, taken_);
    const auto add = [&](double factor) {
      return [this, factor](const auto& x) {
        x.for_each([&](std::size_t j, double value) {
          diagonal_[j] += factor * value * scale_ * e_[j] * newest_;
          squares_[j] += factor * factor * value * value * newest_ * newest_;
        });
        entries_ += factor == 1 ? static_cast<double>(x.size) : 0;
      };
    };
    log.with_x(taken_, add(1));
    log.with_next(taken_, add(-log.numbers_of(taken_).gn));
  }
  settle();
  change_unit();
}

void EquationSums::begin_anew() {
  taken_ = 0;
  entries_ = 0;
  for (CappedVector<double>* v : {&e_, &noise_, &diagonal_, &squares_}) v->clear();
  restore();
}

void EquationSums::restore() {
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
