// What solves LSTD's equations, whether they are stored steps or sums.
#include <gtest/gtest.h>

#include <bellwether/linalg/krylov/conjugate_residuals.h>
#include <bellwether/linalg/krylov/damped_least_squares.h>

#include "support/equations_by_definition.h"

namespace bellwether {
namespace {

using namespace testing;
using namespace testing::equations_by_definition;

/// F(v) = sum_i (b - (S + zeta I) v)_i^2 / N_i + kappa |v|^2
double objective(const Definition& d, double kappa, const Vector& v, double zeta = 0) {
  return (d.b - d.S * v - zeta * v).cwiseAbs2().cwiseQuotient(d.N).sum() + kappa * v.squaredNorm();
}

TEST(DampedLeastSquares, FindsTheMinimum) {
  const auto steps = plain.as(Layout::sparse);
  for (const auto& [kappa, decay] : {std::pair{1e-3, 1.0}, std::pair{1.0, 1.0}, std::pair{0.1, 0.99}}) {
    const auto d = Definition::forgetting(steps.view(), 0.9, TraceRule::accumulating, decay);
    Eigen::MatrixXd A = d.S.transpose() * d.N.cwiseInverse().asDiagonal() * d.S;
    A.diagonal().array() += kappa;
    const Vector expected = testing::solve(A, d.S.transpose() * d.b.cwiseQuotient(d.N));
    LoggedEquations logged(30, room, TraceRule::accumulating, decay);
    SummedEquations summed(30, TraceRule::accumulating, decay);
    learn(logged, steps.view(), 0.9);
    learn(summed, steps.view(), 0.9);
    DampedLeastSquares solver(30);
    std::vector<double> v(30, 0.0);
    EXPECT_LE(solver.improve(logged, kappa, 500, v.data()), 200U);
    EXPECT_LE(difference(logged, v.data(), expected), 1e-9);
    std::fill(v.begin(), v.end(), 0.0);
    solver.improve(summed, kappa, 500, v.data());
    EXPECT_LE(difference(summed, v.data(), expected), 1e-9);
  }
}

/// Solves for the first half of some steps in parts of `rows` rows, while the other half is added.
template <class Begin, class Solver>
std::vector<double> solved_in_parts(const Batch& batch, double decay, std::size_t rows, Solver& solver, Begin&& begin) {
  LoggedEquations equations(30, room, TraceRule::accumulating, decay, true);
  std::vector<double> v(30, 0.0);
  Pass pass;
  bool done = false;
  StepWalk walk;
  FiniteGuard guard;
  std::size_t t = 0;
  std::size_t parts = 0;
  walk.through(batch, Lambda{0.9}, guard, [&](const auto& s) {
    if (t > batch.size / 2 && !done) {
      done = solver.go_on(equations, InParts{pass, rows}, v.data());
      ++parts;
    }
    EXPECT_TRUE(equations.add(s, s.r));
    if (++t != batch.size / 2) return true;
    equations.take_up();
    begin(equations);
    return true;
  });
  EXPECT_TRUE(done);
  EXPECT_GT(parts, 1000 / rows);
  return v;
}

TEST(DampedLeastSquares, InPartsIsTheSameWhileStepsAreAdded) {
  const auto steps = plain.as(Layout::sparse);
  for (const double decay : {1.0, 0.99}) {
    LoggedEquations equations(30, room, TraceRule::accumulating, decay, true);
    learn(equations, steps.view().slice(0, 300), 0.9);
    DampedLeastSquares solver(30);
    std::vector<double> v(30, 0.0);
    solver.improve(equations, 0.1, 6, v.data());
    for (const std::size_t rows : {20U, 97U}) {
      DampedLeastSquares other(30);
      EXPECT_EQ(v, solved_in_parts(steps.view(), decay, rows, other, [&](const auto& e) { other.begin(e, 0.1, 6); }));
    }
  }
}

TEST(ConjugateResiduals, InPartsIsTheSameWhileStepsAreAdded) {
  const auto steps = plain.as(Layout::sparse);
  LoggedEquations equations(30, room, TraceRule::accumulating, 1, true);
  learn(equations, steps.view().slice(0, 300), 0.9);
  ConjugateResiduals solver(30);
  std::vector<double> v(30, 0.0);
  solver.improve(equations, 2, 0.1, 12, v.data());
  ConjugateResiduals other(30);
  EXPECT_EQ(v, solved_in_parts(steps.view(), 1, 20, other, [&](const auto& e) { other.begin(e, 2, 0.1, 12); }));
}

TEST(DampedLeastSquares, StaysAtTheMinimumHoweverLongItGoesOn) {
  // Iterations from the minimum have nothing but rounding to go by.
  const auto steps = plain.as(Layout::sparse);
  const Definition d(steps.view(), 0.9, TraceRule::accumulating);
  SummedEquations equations(30, TraceRule::accumulating);
  learn(equations, steps.view(), 0.9);
  DampedLeastSquares solver(30);
  Vector v = Vector::Zero(30);
  solver.improve(equations, 1, 1000, v.data(), 0);
  const double least = objective(d, 1, v);
  for (int time = 0; time < 20; ++time) solver.improve(equations, 1, 1000, v.data(), 0);
  EXPECT_LE(objective(d, 1, v), least * (1 + 1e-12));
}

TEST(DampedLeastSquares, ComesCloserWithEveryIterationFromAnywhere) {
  const auto steps = plain.as(Layout::sparse);
  const Definition d(steps.view(), 0.9, TraceRule::accumulating);
  SummedEquations equations(30, TraceRule::accumulating);
  learn(equations, steps.view(), 0.9);
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t iterations = 0; iterations < 10; ++iterations) {
    DampedLeastSquares solver(30);
    Vector v = Vector::LinSpaced(30, -5, 5);
    solver.improve(equations, 0.1, iterations, v.data());
    const double now = objective(d, 0.1, v);
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(ConjugateResiduals, SolveTheShiftedEquations) {
  const auto steps = plain.as(Layout::sparse);
  const Definition d(steps.view(), 0.9, TraceRule::accumulating);
  Eigen::MatrixXd A = d.S;
  A.diagonal().array() += 2;
  const Vector expected = testing::solve(A, d.b);
  LoggedEquations logged(30, room, TraceRule::accumulating);
  SummedEquations summed(30, TraceRule::accumulating);
  learn(logged, steps.view(), 0.9);
  learn(summed, steps.view(), 0.9);
  ConjugateResiduals solver(30);
  std::vector<double> v(30, 0.0);
  for (int time = 0; time < 3; ++time) solver.improve(logged, 2, 0, 500, v.data());
  EXPECT_LE(difference(logged, v.data(), expected), 1e-9);
  std::fill(v.begin(), v.end(), 0.0);
  for (int time = 0; time < 3; ++time) solver.improve(summed, 2, 0, 500, v.data());
  EXPECT_LE(difference(summed, v.data(), expected), 1e-9);
}

TEST(ConjugateResiduals, FindTheMinimumOverTheirDirections) {
  const auto steps = plain.as(Layout::sparse);
  const Definition d(steps.view(), 0.9, TraceRule::accumulating);
  SummedEquations equations(30, TraceRule::accumulating);
  learn(equations, steps.view(), 0.9);
  const Vector start = Vector::LinSpaced(30, -1, 1);
  const double kappa = 3;
  const double zeta = 0.5;
  // The directions are powers of P^-1 (S + zeta I) times P^-1 r: a basis of them, and F's minimum there, by hand.
  Eigen::MatrixXd A = d.S;
  A.diagonal().array() += zeta;
  const Vector P = (d.S.diagonal().cwiseAbs2() + d.N).cwiseSqrt().array() + zeta + kappa;
  constexpr Eigen::Index count = 5;
  Eigen::MatrixXd basis(30, count);
  // The residual after a step is r less a product of A with a direction, so the space is that of the powers.
  basis.col(0) = (d.b - A * start).cwiseQuotient(P).normalized();
  for (Eigen::Index k = 1; k < count; ++k) basis.col(k) = (A * basis.col(k - 1)).cwiseQuotient(P).normalized();
  const Eigen::MatrixXd W = d.N.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd AB = A * basis;
  const Eigen::MatrixXd normal = AB.transpose() * W * AB + kappa * basis.transpose() * basis;
  const Vector right = AB.transpose() * W * (d.b - A * start) - kappa * basis.transpose() * start;
  const Vector expected = start + basis * testing::solve(normal, right);
  Vector v = start;
  ConjugateResiduals solver(30);
  EXPECT_EQ(solver.improve(equations, zeta, kappa, count, v.data()), 5U);
  EXPECT_LE((v - expected).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT(objective(d, kappa, v, zeta), objective(d, kappa, start, zeta));
}

TEST(ConjugateResiduals, StopWhereADirectionHasNothingNew) {
  const Experience small{.dim = 3, .steps = 200, .active = 2, .off_policy = true};
  const auto steps = small.as(Layout::sparse);
  const Definition d(steps.view(), 0.9, TraceRule::accumulating);
  SummedEquations equations(3, TraceRule::accumulating);
  learn(equations, steps.view(), 0.9);
  Eigen::MatrixXd A = d.S;
  A.diagonal().array() += 1;
  ConjugateResiduals solver(3);
  std::vector<double> v(3, 0.0);
  EXPECT_LE(solver.improve(equations, 1, 0, 8, v.data()), 4U);
  solver.improve(equations, 1, 0, 8, v.data());
  EXPECT_LE(difference(equations, v.data(), testing::solve(A, d.b)), 1e-9);
}

}  // namespace
}  // namespace bellwether
