// LSTD's equations as stored steps and as sums.
#include <gtest/gtest.h>

#include <bellwether/learners/least_squares/equations/damped_log.h>

#include "support/equations_by_definition.h"

namespace bellwether {
namespace {

using namespace testing;
using namespace testing::equations_by_definition;

TEST(LoggedEquations, MultiplyByTheirDefinition) {
  for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    for (const double lambda : {0.0, 0.9, 1.0}) {
      for (const Layout layout : {Layout::dense, Layout::sparse}) {
        const auto steps = (rule == TraceRule::replacing ? without_negative : plain).as(layout);
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
    const auto steps = (rule == TraceRule::replacing ? without_negative : plain).as(Layout::sparse);
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

TEST(DampedLog, IsTheSameEquations) {
  for (const TraceRule rule : {TraceRule::accumulating, TraceRule::replacing, TraceRule::emphatic}) {
    const auto steps = without_negative.as(Layout::sparse);
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

}  // namespace
}  // namespace bellwether
