// LSTD's equations as stored steps and as sums, and what is solved with them.
#include <gtest/gtest.h>

#include <bellwether/learners/least_squares/equations/damped_log.h>
#include <bellwether/learners/least_squares/equations/logged_equations.h>
#include <bellwether/learners/least_squares/equations/summed_equations.h>
#include <bellwether/linalg/krylov/conjugate_residuals.h>
#include <bellwether/linalg/krylov/damped_least_squares.h>

#include "support/dense_algebra.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;
using Vector = Eigen::VectorXd;

struct Lambda {
  double lambda;
};

constexpr std::size_t room = std::size_t{1} << 20U;

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

constexpr Experience plain{.dim = 30, .steps = 600, .active = 4, .off_policy = true, .restart_probability = 0.02};
constexpr Experience positive{.dim = 30, .steps = 600, .active = 4, .non_negative = true, .off_policy = true};

TEST(LoggedEquations, MultiplyByTheirDefinition) {
  for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    for (const double lambda : {0.0, 0.9, 1.0}) {
      for (const Layout layout : {Layout::dense, Layout::sparse}) {
        const auto steps = (rule == TraceRule::replacing ? positive : plain).as(layout);
        LoggedEquations equations(30, room, rule);
        learn(equations, steps.view(), lambda);
        expect_definition(equations, Definition(steps.view(), lambda, rule));
      }
    }
  }
}

TEST(LoggedEquations, DoNotDependOnWhenStepsAreTakenUp) {
  const auto steps = plain.as(Layout::sparse);
  for (const std::size_t every : {1U, 7U, 100U}) {
    LoggedEquations equations(30, room, TraceRule::accumulating);
    learn(equations, steps.view(), 0.95, every);
    expect_definition(equations, Definition(steps.view(), 0.95, TraceRule::accumulating));
  }
}

TEST(LoggedEquations, EstimateCurvatureFromTheDiagonalAndTheSquares) {
  const auto steps = plain.as(Layout::sparse);
  LoggedEquations equations(30, room, TraceRule::accumulating);
  learn(equations, steps.view(), 0.9);
  const Definition expected(steps.view(), 0.9, TraceRule::accumulating);
  Vector squares = Vector::Zero(30);
  const Batch batch = steps.view();
  for (std::size_t t = 0; t < batch.size; ++t) {
    const double g = batch.discount[t];
    batch.x.as<SparseView>(t).for_each(
        [&](std::size_t j, double v) { squares[static_cast<Eigen::Index>(j)] += v * v; });
    batch.x_next.as<SparseView>(t).for_each(
        [&](std::size_t j, double v) { squares[static_cast<Eigen::Index>(j)] += g * g * v * v; });
  }
  const Vector c = expected.N.cwiseInverse();
  const Vector curvature = expected.S.diagonal().cwiseAbs2().cwiseProduct(c) + 30.0 / 600 * squares;
  std::vector<double> out(equations.size());
  equations.curvature(by_number(equations, c).data(), out.data());
  EXPECT_LE(difference(equations, out.data(), curvature), 1e-12);
}

TEST(LoggedEquations, AreThoseOfThePiecesLeftWhenMemoryIsFull) {
  const auto steps =
      Experience{.dim = 20, .steps = 3000, .active = 3, .off_policy = true, .restart_probability = 0.01}.as(
          Layout::sparse);
  constexpr std::size_t little = 30000;
  LoggedEquations thinned(20, little, TraceRule::accumulating);
  learn(thinned, steps.view(), 0.9, 100);

  // Every other piece is dropped, from the one before the last when memory was full.
  std::size_t full = 0;
  RecordedSteps limited(20, little, TraceRule::accumulating);
  StepWalk walk;
  FiniteGuard guard;
  walk.through(steps.view(), Lambda{0.9}, guard, [&](const auto& s) {
    limited.record(s, s.r);
    full += limited.left_out() == 0 ? 1 : 0;
    return true;
  });
  ASSERT_GT(full, 2048U);
  std::vector<bool> dropped(3000, false);
  const std::size_t last = (full - 1) / 512;
  for (std::size_t piece = last; piece-- > 0;) {
    if ((last - piece) % 2 == 1) std::fill_n(dropped.begin() + static_cast<std::ptrdiff_t>(512 * piece), 512, true);
  }
  EXPECT_EQ(thinned.left_out(), static_cast<std::size_t>(std::count(dropped.begin(), dropped.end(), true)));
  expect_definition(thinned, Definition(TraceRule::accumulating, steps.view(), 0.9, dropped));
}

TEST(SummedEquations, MultiplyByTheirDefinition) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto steps = plain.as(layout);
    SummedEquations equations(30, TraceRule::accumulating);
    learn(equations, steps.view(), 0.9);
    const Definition expected(steps.view(), 0.9, TraceRule::accumulating);
    expect_definition(equations, expected);
    const Vector c = expected.N.cwiseInverse();
    std::vector<double> out(30);
    equations.curvature(c.data(), out.data());
    EXPECT_LE(difference(equations, out.data(), expected.S.cwiseAbs2().transpose() * c), 1e-12);
  }
}

TEST(LoggedEquations, ForgetAsTheyAreDefined) {
  for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    const auto steps = (rule == TraceRule::replacing ? positive : plain).as(Layout::sparse);
    for (const std::size_t every : {1U, 7U, 1000U}) {
      LoggedEquations equations(30, room, rule, 0.99);
      learn(equations, steps.view(), 0.9, every);
      expect_definition(equations, Definition::forgetting(steps.view(), 0.9, rule, 0.99));
    }
  }
}

TEST(LoggedEquations, ForgetInTheCurvatureToo) {
  const auto steps = plain.as(Layout::sparse);
  const double decay = 0.99;
  LoggedEquations equations(30, room, TraceRule::accumulating, decay);
  learn(equations, steps.view(), 0.9, 50);
  const auto expected = Definition::forgetting(steps.view(), 0.9, TraceRule::accumulating, decay);
  Vector squares = Vector::Zero(30);
  double n = 0;
  const Batch batch = steps.view();
  for (std::size_t t = 0; t < batch.size; ++t) {
    const double g = batch.discount[t];
    squares *= decay * decay;
    n = decay * decay * n + 1;
    batch.x.as<SparseView>(t).for_each(
        [&](std::size_t j, double v) { squares[static_cast<Eigen::Index>(j)] += v * v; });
    batch.x_next.as<SparseView>(t).for_each(
        [&](std::size_t j, double v) { squares[static_cast<Eigen::Index>(j)] += g * g * v * v; });
  }
  const Vector c = expected.N.cwiseInverse();
  const Vector curvature = expected.S.diagonal().cwiseAbs2().cwiseProduct(c) + 30.0 / n * squares;
  std::vector<double> out(equations.size());
  equations.curvature(by_number(equations, c).data(), out.data());
  EXPECT_LE(difference(equations, out.data(), curvature), 1e-12);
}

TEST(LoggedEquations, StoreOnlyStepsThatStillCount) {
  const auto steps = Experience{.dim = 20, .steps = 5000, .active = 3, .restart_probability = 0.01}.as(Layout::sparse);
  const double decay = 0.98;  // 0.98^342 is a thousandth
  LoggedEquations equations(20, room, TraceRule::accumulating, decay);
  learn(equations, steps.view(), 0.9, 10);
  EXPECT_GE(equations.steps(), 342U);
  EXPECT_LE(equations.steps(), 342U * 6 / 5 + 10);
  EXPECT_EQ(equations.left_out(), 0U);
  // What is no longer stored is a thousandth of the sums.
  const auto all = Definition::forgetting(steps.view(), 0.9, TraceRule::accumulating, decay);
  const Vector v = Vector::LinSpaced(20, -1, 2).array().sin();
  std::vector<double> out(20);
  equations.product(by_number(equations, v).data(), out.data());
  EXPECT_LE(difference(equations, out.data(), all.S * v), 5e-3);
  // It is as if only the steps that are stored had been seen.
  const std::size_t kept = equations.steps();
  const Batch last = steps.view().slice(5000 - kept, kept);
  std::vector<std::uint8_t> restart(kept, 0);
  for (std::size_t t = 0; t < kept; ++t) restart[t] = last.restart != nullptr ? last.restart[t] : 0;
  restart[0] = 1;
  Batch anew = last;
  anew.restart = restart.data();
  expect_definition(equations, Definition::forgetting(anew, 0.9, TraceRule::accumulating, decay));
}

TEST(LoggedEquations, DropTheOlderHalfOfWhatIsBeingForgottenWhenMemoryIsFull) {
  const auto steps = Experience{.dim = 20, .steps = 4000, .active = 3}.as(Layout::sparse);
  LoggedEquations equations(20, 20000, TraceRule::accumulating, 0.9999);
  learn(equations, steps.view(), 0.0, 100);
  EXPECT_EQ(equations.left_out() + equations.steps(), 4000U);
  EXPECT_GT(equations.steps(), 500U);
  EXPECT_LT(equations.steps(), 2500U);
  const Batch last = steps.view().slice(4000 - equations.steps(), equations.steps());
  expect_definition(equations, Definition::forgetting(last, 0.0, TraceRule::accumulating, 0.9999));
}

TEST(SummedEquations, ForgetAsTheyAreDefined) {
  const auto steps = plain.as(Layout::sparse);
  for (const std::size_t every : {1U, 7U, 1000U}) {
    SummedEquations equations(30, TraceRule::accumulating, 0.97);
    learn(equations, steps.view(), 0.9, every);
    expect_definition(equations, Definition::forgetting(steps.view(), 0.9, TraceRule::accumulating, 0.97));
  }
}

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

TEST(DampedLog, IsTheSameEquations) {
  for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    const auto steps = positive.as(Layout::sparse);
    const Definition d(steps.view(), 0.9, rule);
    RecordedSteps recorded(30, room, rule);
    StepWalk walk;
    FiniteGuard guard;
    walk.through(steps.view(), Lambda{0.9}, guard, [&](const auto& s) { return recorded.record(s, s.r); });
    const DampedLog equations(recorded.log());
    const auto by_feature = [&](const double* v) {
      Vector all(30);
      for (std::size_t i = 0; i < 30; ++i) all[recorded.log().feature(i)] = v[i];
      return all;
    };
    Vector v = Vector::LinSpaced(30, -1, 2);
    std::vector<double> out(30);
    EXPECT_LE((by_feature(equations.noise()) - d.N).cwiseAbs().maxCoeff(), 1e-12 * d.N.maxCoeff());
    equations.residual(v.data(), out.data());
    const Vector residual = d.b - d.S * by_feature(v.data());
    EXPECT_LE((by_feature(out.data()) - residual).cwiseAbs().maxCoeff(), 1e-11 * residual.cwiseAbs().maxCoeff());
    equations.transposed_product(v.data(), out.data());
    const Vector transposed = d.S.transpose() * by_feature(v.data());
    EXPECT_LE((by_feature(out.data()) - transposed).cwiseAbs().maxCoeff(), 1e-11 * transposed.cwiseAbs().maxCoeff());
    double square = 0;
    for (std::size_t t = 0; t < steps.view().size; ++t) {
      steps.view().x.as<SparseView>(t).for_each([&](std::size_t, double x) { square += x * x; });
    }
    EXPECT_NEAR(equations.mean_square(), square / static_cast<double>(steps.view().size), 1e-12 * square);
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
