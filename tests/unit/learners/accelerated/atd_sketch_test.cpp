#include <bellwether/learners/accelerated/atd_sketch.h>
#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/td.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"
#include "support/experience.h"
#include "support/rules.h"
#include "support/sketches.h"
#include "support/textbook_trace.h"

namespace bellwether {
namespace {

using namespace testing;
using Eigen::Index;
using Eigen::MatrixXd;

/// (a M + c u v^T)^-1 for P = M^-1
MatrixXd sherman_morrison(const MatrixXd& P, double a, double c, const Vector& u, const Vector& v) {
  return P / a - c * (P * u) * (v.transpose() * P) / (a * a + a * c * v.dot(P * u));
}

constexpr Experience off_policy{.steps = 300,
                                .non_negative = true,
                                .off_policy = true,
                                .state_dependent = true,
                                .end_probability = 0.2,
                                .restart_probability = 0.05};

TEST(ATDSketch, EqualsTheDefinitionWithTheExplicitInverse) {
  const auto dense = off_policy.as(Layout::dense);
  const auto sparse = off_policy.as(Layout::sparse);
  const auto steps = rule_steps(dense.view(), {.lambda = 0.7});
  for (const Batch& batch : {dense.view(), sparse.view()}) {
    for (const SketchKind kind :
         {SketchKind::gaussian, SketchKind::count_sketch, SketchKind::srht, SketchKind::aggregation}) {
      for (const TraceRule rule : trace_rules) {
        constexpr Index k = 4;
        ATDSketch learner(8, {.eta = 0.01,
                              .lambda = 0.7,
                              .trace = rule,
                              .rank = k,
                              .sketch = kind,
                              .omega = 0.1,
                              .alpha0 = 0.5,
                              .seed = 3});
        const MatrixXd S = matrix(Sketch(kind, k, 8, 3));
        MatrixXd A = MatrixXd::Zero(8, 8);
        TextbookTrace trace(rule, 8);
        double n = 0;
        const auto definition = [&](const RuleStep& s, Vector& w) {
          n += 1;
          const double delta = s.delta(w);
          const Vector& e = trace.next(s);
          A += (e * (s.x - s.gn * s.xn).transpose() - A) / n;
          const MatrixXd B = S * A;
          const MatrixXd M = B * B.transpose() + 0.1 / (n * n) * MatrixXd::Identity(k, k);
          w += 0.5 * delta / n * B.transpose() * solve(M, S * e) + 0.01 * delta * e;
        };
        EXPECT_LE(departure(learner, batch, steps, definition), 1e-10);
      }
    }
  }
}

TEST(ATDSketch, EqualsThreeShermanMorrisonUpdatesAStep) {
  const auto experience = Experience{.steps = 300, .off_policy = true, .end_probability = 0.2}.as(Layout::dense);
  constexpr Index k = 3;
  ATDSketch learner(8, {.eta = 0.01, .lambda = 0.7, .rank = k, .sketch = SketchKind::count_sketch, .seed = 4});
  const MatrixXd S = matrix(Sketch(SketchKind::count_sketch, k, 8, 4));
  MatrixXd B = MatrixXd::Zero(k, 8);
  MatrixXd P = MatrixXd::Identity(k, k);
  Vector e = Vector::Zero(8);
  double n = 0;
  const auto recursion = [&](const RuleStep& step, Vector& w) {
    n += 1;
    const double delta = step.delta(w);
    const Vector d = step.x - step.gn * step.xn;
    e = step.rho * (step.g * step.l * e + step.x);
    const Vector y = B * d;
    const Vector s = S * e / n;
    const double c = (n - 1) / n;
    P = sherman_morrison(P, n == 1 ? 1 : c * c, d.squaredNorm(), s, s);
    if (n > 1) P = sherman_morrison(P, 1, c, y, s);
    if (n > 1) P = sherman_morrison(P, 1, c, s, y);
    B = c * B + s * d.transpose();
    w += delta / n * B.transpose() * P * S * e + 0.01 * delta * e;
  };
  EXPECT_LE(departure(learner, experience.view(), rule_steps(experience.view(), {.lambda = 0.7}), recursion), 1e-10);
}

TEST(ATDSketch, IsTDOfRankZeroBitForBit) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto experience = Experience{.off_policy = true, .state_dependent = true}.as(layout);
    ATDSketch learner(8, {.eta = 0.01, .lambda = 0.8, .rank = 0});
    ATDSketch emphatic(8, {.eta = 0.01, .lambda = 0.8, .trace = TraceRule::emphatic, .rank = 0});
    TD td(8, {.alpha = 0.01, .lambda = 0.8});
    ETD etd(8, {.alpha = 0.01, .lambda = 0.8});
    for (Learner* each : std::initializer_list<Learner*>{&learner, &emphatic, &td, &etd})
      each->learn(experience.view());
    EXPECT_EQ(learner.weights(), td.weights());
    EXPECT_EQ(emphatic.weights(), etd.weights());
  }
}

TEST(ATDSketch, TendsToLSTDWithAFullRotationAsOmegaVanishes) {
  // The distance is proportional to omega if omega is small compared with the squares of all singular values, which is
  // why the features are large. After the first steps, while the matrix has less than full rank, it falls as 1/t.
  const auto experience = Experience{.steps = 600, .active = 4}.as(Layout::dense);
  Batch batch = experience.view();
  std::vector<double> larger(batch.x.values, batch.x.values + (batch.size + 1) * 8);
  for (double& v : larger) v *= 100;
  batch.x.values = larger.data();
  batch.x_next.values = larger.data() + 8;
  MatrixXd A = MatrixXd::Zero(8, 8);
  Vector b = Vector::Zero(8);
  Vector e = Vector::Zero(8);
  for (const RuleStep& s : rule_steps(batch, {.lambda = 0.4})) {
    e = s.g * s.l * e + s.x;
    A += e * (s.x - s.gn * s.xn).transpose();
    b += e * s.r;
  }
  const Vector w = solve(A, b);
  const auto distance = [&](double omega) {
    ATDSketch learner(8, {.eta = 0, .lambda = 0.4, .rank = 8, .sketch = SketchKind::srht, .omega = omega});
    learner.learn(batch);
    const auto weights = learner.weights();
    return (Eigen::Map<const Vector>(weights.data(), 8) - w).norm() / w.norm();
  };
  const double coarse = distance(1e-2);
  const double fine = distance(1e-3);
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(coarse / fine, 10, 1);
}

TEST(ATDSketch, MovesAlongTheDifferenceInTheFirstStep) {
  // N = (S e) d^T, so w = delta d |S e|^2 / (|S e|^2 |d|^2 + omega) + eta delta e: nearly delta d / |d|^2.
  const auto experience = Experience{.steps = 1}.as(Layout::dense);
  const RuleStep s = rule_steps(experience.view(), {})[0];
  ATDSketch learner(8, {.eta = 0.01, .rank = 3, .omega = 1e-3});
  learner.learn(experience.view());
  const Vector d = s.x - s.gn * s.xn;
  const double size = (matrix(Sketch(SketchKind::gaussian, 3, 8, 1)) * s.x).squaredNorm();
  const Vector expected = s.r * size / (size * d.squaredNorm() + 1e-3) * d + 0.01 * s.r * s.x;
  const auto weights = learner.weights();
  EXPECT_LE((Eigen::Map<const Vector>(weights.data(), 8) - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace bellwether
