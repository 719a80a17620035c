#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include <bellwether/core/params/params.h>
#include <bellwether/linalg/simd/eight.h>

/// Parameters that many learners share, described once.
namespace bellwether {

/// How the step size falls, as a factor of alpha; t counts steps from 0, n episodes from 1.
enum class Schedule : std::uint8_t {
  constant,  // 1
  boyan,     // (n0 + 1) / (n0 + n)
  harmonic,  // 1 / (t + 1)
};
constexpr auto names(Schedule) { return std::array{"constant", "boyan", "harmonic"}; }

inline double schedule_factor(Schedule schedule, double n0, std::uint64_t t, std::uint64_t n) {
  switch (schedule) {
    case Schedule::boyan: return (n0 + 1) / (n0 + static_cast<double>(n));
    case Schedule::harmonic: return 1 / (static_cast<double>(t) + 1);
    default: return 1;
  }
}

/// Fields that mean the same in all learners, so that figures can compare learners by them: the step size, and the
/// ridge, which is what the matrix of a learner starts from.
template <class P, class T>
struct StepSizeField : Field<P, T> {
  using Field<P, T>::Field;
};
template <class P, class T>
StepSizeField(const char*, T P::*, Range, const char*) -> StepSizeField<P, T>;
template <class P, class T>
struct RidgeField : Field<P, T> {
  using Field<P, T>::Field;
};
template <class P, class T>
RidgeField(const char*, T P::*, Range, const char*) -> RidgeField<P, T>;

template <class P>
constexpr auto alpha_field() {
  return StepSizeField("alpha", &P::alpha, positive, "step size");
}

template <class P>
constexpr auto lambda_field() {
  return Field("lambda", &P::lambda, unit, "trace decay: 0 bootstraps fully, 1 is Monte Carlo");
}

/// The trace decay of learners that are given none.
constexpr double default_lambda = 0.9;

/// lambda, or the default where it is left to the learner; 1 for learners without one.
template <class P>
double lambda_of(const P& params) {
  if constexpr (requires { params.lambda.value_or(0.0); }) return params.lambda.value_or(default_lambda);
  else if constexpr (requires { params.lambda; }) return params.lambda;
  else return 1;
}

template <class P>
constexpr auto schedule_fields() {
  return std::tuple{Field("schedule", &P::schedule, "how step sizes fall: not, (n0+1)/(n0+episode), or 1/(t+1)"),
                    Field("n0", &P::n0, positive, "episodes before Boyan's schedule bites")};
}

/// alpha, lambda, schedule, n0: the parameters of every linear learner with one step size.
template <class P>
constexpr auto linear_fields() {
  return std::tuple_cat(std::tuple{alpha_field<P>(), lambda_field<P>()}, schedule_fields<P>());
}

/// The same with a second step size beta, for learners with two weight vectors.
template <class P>
constexpr auto gradient_fields() {
  return std::tuple_cat(
      linear_fields<P>(),
      std::tuple{Field("beta", &P::beta, non_negative, "step size of the second weights; auto: the same as alpha")});
}

/// The parameters of most learners with two weight vectors.
struct GradientParams {
  double alpha = 0.1;
  double lambda = 0.0;
  Schedule schedule = Schedule::constant;
  double n0 = 100;
  std::optional<double> beta{};

  static constexpr auto fields() { return gradient_fields<GradientParams>(); }
};

/// The second step size of such parameters: beta, or alpha where beta is left to us.
template <class P, class Real>
Real second_step(const P& params, const Real& alpha) {
  return params.beta ? same<Real>(*params.beta) : alpha;
}

}  // namespace bellwether
