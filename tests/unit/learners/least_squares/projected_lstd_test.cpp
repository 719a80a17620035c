#include <bellwether/learners/least_squares/projected_lstd.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/sketches.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr Experience off_policy{.steps = 300, .off_policy = true, .state_dependent = true, .restart_probability = 0.05};

TEST(ProjectedLSTD, SolvesTheRegularisedSystemOfEveryProjectionAfterEveryStep) {
  const auto experience = off_policy.as(Layout::dense);
  for (const SketchKind kind : {SketchKind::gaussian, SketchKind::count_sketch, SketchKind::srht}) {
    for (const ProjectedTrace trace : {ProjectedTrace::accumulating, ProjectedTrace::emphatic}) {
      constexpr Index k = 4;
      constexpr int m = 3;
      ProjectedLSTD learner(8, {.inverse_init = 0.05,
                                .lambda = 0.7,
                                .trace = trace,
                                .rank = k,
                                .projections = m,
                                .sketch = kind,
                                .seed = 9});
      std::vector<MatrixXd> A(m, MatrixXd::Identity(k, k) / 0.05);
      std::vector<Vector> b(m, Vector::Zero(k));
      Vector e = Vector::Zero(8);
      double F = 0;
      const auto rule = [&](const RuleStep& s, Vector& w) {
        F = s.g == 0 ? s.i : s.rhop * s.g * F + s.i;
        const double M = trace == ProjectedTrace::emphatic ? s.l * s.i + (1 - s.l) * F : 1;
        e = s.rho * (s.g * s.l * e + M * s.x);
        w.setZero();
        for (std::size_t i = 0; i < m; ++i) {
          const MatrixXd S = matrix(Sketch(kind, k, 8, 9, i));
          A[i] += S * e * (S * (s.x - s.gn * s.xn)).transpose();
          b[i] += S * e * s.r;
          w += S.transpose() * solve(A[i], b[i]) / m;
        }
      };
      const auto steps = rule_steps(experience.view(), {.lambda = 0.7});
      EXPECT_LE(departure(learner, experience.view(), steps, rule), 1e-9);
      EXPECT_TRUE(learner.findings().empty());
    }
  }
}

TEST(ProjectedLSTD, PredictsAsLSTDWhenTheRankIsFullAndTheRegulariserVanishes) {
  const auto experience = Experience{.dim = 8, .steps = 400}.as(Layout::dense);
  MatrixXd A = MatrixXd::Zero(8, 8);
  Vector b = Vector::Zero(8);
  Vector e = Vector::Zero(8);
  for (const RuleStep& s : rule_steps(experience.view(), {.lambda = 0.6})) {
    e = s.rho * (s.g * s.l * e + s.x);
    A += e * (s.x - s.gn * s.xn).transpose();
    b += e * s.r;
  }
  const Vector w = solve(A, b);
  for (const SketchKind kind : {SketchKind::gaussian, SketchKind::srht, SketchKind::aggregation}) {
    // The regulariser moves the solution by |A^-1| / inverse_init, and rounding in P costs about inverse_init |A|
    // 1e-16.
    ProjectedLSTD learner(8, {.inverse_init = 1e5, .lambda = 0.6, .rank = 1000, .projections = 2, .sketch = kind});
    learner.learn(experience.view());
    const auto weights = learner.weights();
    EXPECT_LE((Eigen::Map<const Vector>(weights.data(), 8) - w).norm(), 1e-5 * w.norm());
  }
}

TEST(ProjectedLSTD, AveragesItsProjections) {
  const auto experience = Experience{.dim = 20, .steps = 300, .binary = true}.as(Layout::binary);
  const auto learned = [&](std::int64_t projections) {
    ProjectedLSTD learner(20, {.rank = 4, .projections = projections});
    learner.learn(experience.view());
    return learner.weights();
  };
  // A single projection is the first of two, so twice the mean of two minus the first is the second: rank 4 each, and 8
  // together.
  const auto one = learned(1);
  const auto two = learned(2);
  EXPECT_GT(max_difference(one, two), 1e-3);
  const Sketch second(SketchKind::gaussian, 4, 20, 1, 1);
  const MatrixXd S = matrix(second);
  Vector rest(20);
  for (std::size_t j = 0; j < 20; ++j) rest[static_cast<Index>(j)] = 2 * two[j] - one[j];
  const Vector inside = S.transpose() * solve(S * S.transpose(), S * rest);
  EXPECT_LE((inside - rest).norm(), 1e-12 * rest.norm()) << "the weights of a projection are S^T v";
}

TEST(ProjectedLSTD, LearnsWhatStartingWeightsLeaveUnexplained) {
  // Rewards that the starting weights explain leave nothing to learn; all others are learned as if from zero.
  const auto experience = Experience{.dim = 8, .steps = 200}.as(Layout::dense);
  Batch batch = experience.view();
  const std::vector<double> start{1, -2, 3, -4, 5, -6, 7, -8};
  std::vector<double> explained(batch.size);
  for (std::size_t t = 0; t < batch.size; ++t) {
    explained[t] = kernels::dot(batch.x.as<DenseView>(t), start.data()) -
                   batch.discount[t] * kernels::dot(batch.x_next.as<DenseView>(t), start.data());
  }
  ProjectedLSTD plain(8, {.rank = 3});
  plain.learn(batch);
  auto expected = plain.weights();
  for (std::size_t j = 0; j < 8; ++j) expected[j] += start[j];
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  for (std::size_t t = 0; t < batch.size; ++t) reward[t] += explained[t];
  batch.reward = reward.data();
  ProjectedLSTD started(8, {.rank = 3});
  started.start_from(start);
  started.learn(batch);
  EXPECT_LE(max_difference(started.weights(), expected), 1e-12 * max_size(expected));
}

TEST(ProjectedLSTD, LeavesOutAStepThatMakesTheMatrixSingular) {
  // One feature, P = 1: x = 1 with discount 3 leading to itself has d = -2, and rho = 1/2 makes c = 1 - 1 = 0.
  const double x[] = {1, 1};
  const double reward[] = {1};
  const double discount[] = {3};
  const double rho[] = {0.5};
  Batch batch{.size = 1,
              .x = {.layout = Layout::dense, .dim = 1, .rows = 1, .values = x},
              .x_next = {.layout = Layout::dense, .dim = 1, .rows = 1, .values = x + 1},
              .reward = reward,
              .discount = discount,
              .rho = rho};
  ProjectedLSTD learner(1, {.rank = 1, .projections = 1, .sketch = SketchKind::count_sketch});
  learner.learn(batch);
  EXPECT_EQ(learner.weights()[0], 0);
  EXPECT_EQ(learner.findings(), (Settings{{"singular_steps_left_out", "1"}}));
}

TEST(ProjectedLSTD, LearnsTheSameBitsWhenItKnowsTheProjectionOfTheStepBefore) {
  // A learner that was saved and loaded does not know x' of the step before. Here there are few states, so that they
  // come again after the ends of episodes too, and steps that begin with another x than the x' before.
  for (const SketchKind kind : {SketchKind::gaussian, SketchKind::srht}) {
    for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      constexpr std::size_t dim = 3;
      const auto experience =
          Experience{
              .dim = dim, .steps = 200, .active = 1, .binary = true, .end_probability = 0.2, .restart_probability = 0.2}
              .as(layout);
      const ProjectedLSTDRule::Params params{.lambda = 0.6, .rank = 2, .projections = 2, .sketch = kind};
      ProjectedLSTD knows(dim, params);
      knows.learn(experience.view());
      std::string saved = ProjectedLSTD(dim, params).save();
      for (std::size_t t = 0; t < experience.view().size; ++t) {
        ProjectedLSTD loaded(dim, params);
        loaded.load(saved);
        loaded.learn(experience.view().slice(t, 1));
        saved = loaded.save();
      }
      EXPECT_EQ(saved, knows.save());
    }
  }
}

TEST(ProjectedLSTD, GoesOnWhenAnotherThatSharesItsProjectionsCannot) {
  // A feature that comes late is the first to meet P = inverse_init I again, and it is large: u = P e is about 1e10
  // inverse_init, and its square must stay below 1e50.
  constexpr std::size_t dim = 4;
  BatchBuffer buffer(Layout::sparse, dim);
  for (std::uint32_t t = 0; t <= 60; ++t) {
    if (t == 40) buffer.x().add(3, 1e10);
    else buffer.x().add(t % 3, 1.0 + t % 2);
    buffer.x().end_row();
    if (t < 60) buffer.add({.reward = 1.0 + t % 5, .discount = t % 8 == 7 ? 0.0 : 0.9});
  }
  std::vector<Settings> members;
  for (const char* init : {"1e30", "1", "1e18", "1e-3", "1e17", "100"}) {
    members.push_back({{"inverse_init", init}, {"rank", "4"}, {"projections", "2"}, {"lambda", "0.5"}});
  }
  const auto together = make_ensemble("projected_lstd", dim, members);
  together->learn(buffer.view());
  std::vector<double> w(dim);
  std::vector<std::optional<std::uint64_t>> ends;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto alone = make_learner("projected_lstd", dim, members[m]);
    alone->learn(buffer.view());
    together->weights(m, w);
    EXPECT_EQ(w, alone->weights()) << m;
    EXPECT_EQ(together->findings(m), alone->findings()) << m;
    EXPECT_EQ(together->diverged_at(m), alone->diverged_at()) << m;
    ends.push_back(together->diverged_at(m));
  }
  EXPECT_EQ(ends[0], 0);
  EXPECT_EQ(ends[1], std::nullopt);
  EXPECT_TRUE(ends[2] && *ends[2] >= 39) << "a later step than the first";
  EXPECT_EQ(ends[3], std::nullopt);
}

}  // namespace
}  // namespace bellwether
