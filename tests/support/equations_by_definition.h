#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/learners/least_squares/equations/logged_equations.h>
#include <bellwether/learners/least_squares/equations/summed_equations.h>

#include "support/dense_algebra.h"
#include "support/experience.h"

/// LSTD's equations by their definition, with dense matrices, and what compares others with them.
namespace bellwether::testing::equations_by_definition {

using Vector = Eigen::VectorXd;

/// What a StepWalk asks of a learner's parameters.
struct Lambda {
  double lambda;
};

inline constexpr std::size_t room = std::size_t{1} << 20U;

/// S, b and N by their definitions, by feature.
struct Definition {
  Eigen::MatrixXd S;
  Vector b, N;

  Definition(const Batch& batch, double lambda, TraceRule rule)
      : Definition(rule, batch, lambda, std::vector<bool>(batch.size, false)) {}

  /// Each step counts `decay` times the one after it.
  static Definition forgetting(const Batch& batch, double lambda, TraceRule rule, double decay) {
    return {rule, batch, lambda, std::vector<bool>(batch.size, false), decay};
  }

  /// Without the steps that are `dropped`, after which the trace begins anew with the next multiple of 512.
  Definition(TraceRule rule, const Batch& batch, double lambda, const std::vector<bool>& dropped, double decay = 1) {
    const auto d = static_cast<Eigen::Index>(batch.dim());
    S = Eigen::MatrixXd::Zero(d, d);
    b = N = Vector::Zero(d);
    Vector e = Vector::Zero(d);
    TraceMover mover(rule);
    StepWalk walk;
    FiniteGuard guard;
    std::size_t t = 0;
    const auto last_dropped = std::find(dropped.rbegin(), dropped.rend(), true);
    const std::size_t until = static_cast<std::size_t>(dropped.rend() - last_dropped) + 512;
    walk.through(batch, Lambda{lambda}, guard, [&](const auto& s) {
      const bool anew = last_dropped != dropped.rend() && t < until;
      Motion m = mover.next(s);
      const std::size_t now = t++;
      if (dropped[now]) return true;
      if (anew && now % 512 == 0) m.f = 0;
      Vector x = Vector::Zero(d);
      Vector difference = Vector::Zero(d);
      s.x.for_each([&](std::size_t j, double v) { x[static_cast<Eigen::Index>(j)] += v; });
      difference = x;
      s.xn.for_each([&](std::size_t j, double v) { difference[static_cast<Eigen::Index>(j)] -= s.gn * v; });
      e = rule == TraceRule::replacing ? Vector((m.f * e).cwiseMax(m.y * x)) : Vector(m.f * e + m.y * x);
      S = decay * S + e * difference.transpose();
      b = decay * b + s.r * e;
      N = decay * decay * N + e.cwiseAbs2();
      return true;
    });
  }
};

template <class Equations>
void learn(Equations& equations, const Batch& batch, double lambda, std::size_t takes_up_every = 1000000) {
  StepWalk walk;
  FiniteGuard guard;
  std::size_t t = 0;
  walk.through(batch, Lambda{lambda}, guard, [&](const auto& s) {
    const bool added = equations.add(s, s.r);
    if (++t % takes_up_every == 0) equations.take_up();
    return added;
  });
  equations.take_up();
}

/// A vector by the equations' numbers of features.
template <class Equations>
std::vector<double> by_number(const Equations& equations, const Vector& v) {
  std::vector<double> all(equations.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = v[equations.feature(i)];
  return all;
}

/// The largest difference between a vector by number and one by feature, as a share of the largest entry.
template <class Equations>
double difference(const Equations& equations, const double* a, const Vector& b) {
  double largest = 0;
  for (std::size_t i = 0; i < equations.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[equations.feature(i)]));
  return largest / b.cwiseAbs().maxCoeff();
}

template <class Equations>
void expect_definition(const Equations& equations, const Definition& expected) {
  const Vector v = Vector::LinSpaced(expected.b.size(), -1, 2).array().sin();
  const std::vector<double> given = by_number(equations, v);
  std::vector<double> out(equations.size());
  EXPECT_LE(difference(equations, equations.noise(), expected.N), 1e-12);
  equations.product(given.data(), out.data());
  EXPECT_LE(difference(equations, out.data(), expected.S * v), 1e-12);
  equations.residual(given.data(), out.data());
  EXPECT_LE(difference(equations, out.data(), expected.b - expected.S * v), 1e-12);
  equations.transposed_product(given.data(), out.data());
  EXPECT_LE(difference(equations, out.data(), expected.S.transpose() * v), 1e-12);
}

inline constexpr Experience plain{
    .dim = 30, .steps = 600, .active = 4, .off_policy = true, .restart_probability = 0.02};
inline constexpr Experience without_negative{
    .dim = 30, .steps = 600, .active = 4, .non_negative = true, .off_policy = true};

}  // namespace bellwether::testing::equations_by_definition
